-- Only orders that a person has to send go into a batch, and an order leaves it once. The application checks this too.
create or replace function guard_batch_order() returns trigger language plpgsql as $$
declare
  ordered text;
begin
  if tg_op = 'UPDATE' then
    if old.status <> 'locked' and new is distinct from old then
      raise exception 'order % has left its batch as %', old.order_id, old.status using errcode = 'DW009';
    end if;
    if (new.batch_id, new.order_id) is distinct from (old.batch_id, old.order_id) then
      raise exception 'order % cannot change its batch', old.order_id using errcode = 'DW009';
    end if;
    return new;
  end if;
  -- A decision and a delivery of the order wait for this transaction, or are seen here.
  select status into ordered from orders where id = new.order_id for update;
  if ordered <> 'pending' or new.status <> 'locked' then
    raise exception 'order % is % and cannot be batched', new.order_id, ordered using errcode = 'DW009';
  end if;
  if exists (select from supplier_deliveries where order_id = new.order_id
      and status in ('waiting', 'sending', 'accepted', 'unknown', 'delivered'))
    or exists (select from order_outbox where order_id = new.order_id) then
    raise exception 'order % is on its way to a supplier and cannot be batched', new.order_id using errcode = 'DW009';
  end if;
  return new;
end $$;
