-- What a batch says of an order is what became of it in the same transaction.
create or replace function check_batch_order_ended() returns trigger language plpgsql as $$
begin
  if not exists (select from orders where id = new.order_id and status = new.status) then
    raise exception 'order % is not %, as its batch says', new.order_id, new.status using errcode = 'DW009';
  end if;
  return null;
end $$;
