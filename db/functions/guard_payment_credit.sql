-- A credit stays; all that may happen to it is that it is taken back, once.
create or replace function guard_payment_credit() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.taken_back_at is not null
    or (new.payment_id, new.amount_pesewas, new.user_id, new.recharge_id, new.entry_key, new.credited_at, new.credited_by)
      is distinct from (old.payment_id, old.amount_pesewas, old.user_id, old.recharge_id, old.entry_key, old.credited_at, old.credited_by) then
    raise exception 'credit % of a received payment cannot be changed', old.id using errcode = 'DW010';
  end if;
  return new;
end $$;
