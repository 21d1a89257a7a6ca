-- Notes a delivery for Insight in its hour, a refund after it in the hour of the refund, and a cost that is known later in both.
create or replace function count_insight() returns trigger language plpgsql as $$
declare
  sale bigint := new.price_pesewas - new.agent_profit_pesewas;
  costed boolean := new.cost_pesewas is not null;
  delivered_at timestamptz;
begin
  if new.status = 'completed' and old.status = 'pending' then
    select d.delivered_at into delivered_at from supplier_deliveries d where d.order_id = new.id;
    insert into insight_deltas (at, network, supplier, offer, orders, net_pesewas, costed_pesewas, cost_pesewas, uncosted_orders, bought_hour, minutes)
    values (new.completed_at, new.network, new.cost_supplier, new.offer, 1, sale,
      case when costed then sale else 0 end, coalesce(new.cost_pesewas, 0), (not costed)::integer,
      extract(hour from new.created_at at time zone 'UTC'),
      delivery_minutes(least(delivered_at, new.completed_at) - new.created_at));
  elsif new.status = 'rejected' and old.status = 'completed' and old.completed_at is not null then
    insert into insight_deltas (at, network, supplier, offer, net_pesewas, costed_pesewas)
    values (new.decided_at, new.network, new.cost_supplier, new.offer, -sale, case when costed then -sale else 0 end);
  end if;
  if old.completed_at is not null and old.cost_pesewas is null and costed then
    insert into insight_deltas (at, network, supplier, offer, costed_pesewas, cost_pesewas, uncosted_orders)
    values (new.completed_at, new.network, new.cost_supplier, new.offer, sale, new.cost_pesewas, -1);
    if old.status = 'rejected' then
      insert into insight_deltas (at, network, supplier, offer, costed_pesewas)
      values (new.decided_at, new.network, new.cost_supplier, new.offer, -sale);
    end if;
  end if;
  return null;
end $$;
