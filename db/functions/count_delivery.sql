-- Keeps the totals of deliveries: a delivery and its cost count on the day of the delivery, a refund after it on the day of the refund.
create or replace function count_delivery() returns trigger language plpgsql as $$
declare
  sale bigint := new.price_pesewas - new.agent_profit_pesewas;
  delivered_on date := (new.completed_at at time zone 'UTC')::date;
  agent uuid := case when new.level = 'Agent' then new.user_id end;
  uncosted boolean := new.cost_pesewas is null;
begin
  if new.status = 'completed' and old.status = 'pending' then
    insert into delivery_deltas (day, network, supplier, agent_id, orders, sales_pesewas, cost_pesewas, uncosted_orders, uncosted_pesewas)
    values (delivered_on, new.network, new.cost_supplier, agent, 1, sale, coalesce(new.cost_pesewas, 0),
      uncosted::integer, case when uncosted then sale else 0 end);
  elsif new.status = 'rejected' and old.completed_at is not null and old.status = 'completed' then
    insert into delivery_deltas (day, network, supplier, agent_id, refunded_orders, refunded_pesewas, refunded_uncosted_pesewas)
    values ((new.decided_at at time zone 'UTC')::date, new.network, new.cost_supplier, agent, 1, sale,
      case when uncosted then sale else 0 end);
  end if;
  if old.completed_at is not null and old.cost_pesewas is null and new.cost_pesewas is not null then
    insert into delivery_deltas (day, network, supplier, agent_id, cost_pesewas, uncosted_orders, uncosted_pesewas)
    values (delivered_on, new.network, new.cost_supplier, agent, new.cost_pesewas, -1, -sale);
    if new.status = 'rejected' then
      insert into delivery_deltas (day, network, supplier, agent_id, refunded_uncosted_pesewas)
      values ((new.decided_at at time zone 'UTC')::date, new.network, new.cost_supplier, agent, -sale);
    end if;
  end if;
  return null;
end $$;
