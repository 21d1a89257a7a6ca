-- A receiver is corrected with a record of the buyer's consent, before the order was sent or once its supplier has refused it.
create or replace function guard_receiver() returns trigger language plpgsql as $$
begin
  if (old.status, new.status) <> ('pending', 'pending')
    or exists (select from supplier_deliveries where order_id = old.id and status in ('sending', 'accepted', 'unknown', 'delivered'))
    or exists (select from batch_orders where order_id = old.id and status = 'locked')
    or (old.receiver, new.receiver) is distinct from
      (select (from_receiver, to_receiver) from receiver_corrections where order_id = old.id order by id desc limit 1) then
    raise exception 'the receiver of order % cannot be changed', old.id using errcode = 'DW005';
  end if;
  return new;
end $$;
