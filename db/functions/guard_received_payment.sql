-- A payment that was credited is never forgotten and never becomes another one. Whose network it is of is a guess until a form reads it.
create or replace function guard_received_payment() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'received payment % cannot be deleted', old.transaction_id using errcode = 'DW010';
  end if;
  if new.transaction_id <> old.transaction_id
    or new.network <> old.network and not (old.status = 'waiting' and old.doubts @> array['unknown-form']) then
    raise exception 'received payment % cannot become another one', old.transaction_id using errcode = 'DW010';
  end if;
  if new.amount_pesewas <> old.amount_pesewas and exists (select from payment_credits where payment_id = old.id) then
    raise exception 'the amount of received payment % was credited', old.transaction_id using errcode = 'DW010';
  end if;
  return new;
end $$;
