create or replace function count_order() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into order_deltas (day, block, network, status, orders, pesewas)
    values ((old.created_at at time zone 'UTC')::date, old.seq / 10000, old.network, old.status, -1, -old.price_pesewas);
  end if;
  insert into order_deltas (day, block, network, status, orders, pesewas)
  values ((new.created_at at time zone 'UTC')::date, new.seq / 10000, new.network, new.status, 1, new.price_pesewas);
  return null;
end $$;
