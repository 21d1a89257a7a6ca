-- What was asked for stays, under its one reference, and a withdrawal goes only the ways below. One that may have been sent ends only as
-- the provider says, or once the provider has said twice that it does not know it.
create or replace function guard_withdrawal() returns trigger language plpgsql as $$
begin
  if (new.id, new.shop_id, new.requested_by, new.key, new.reference, new.amount_pesewas, new.fee_pesewas, new.network, new.phone, new.name,
      new.created_at) is distinct from (old.id, old.shop_id, old.requested_by, old.key, old.reference, old.amount_pesewas, old.fee_pesewas,
      old.network, old.phone, old.name, old.created_at) then
    raise exception 'what was asked for in withdrawal % cannot be changed', old.reference using errcode = 'DW012';
  end if;
  if new.status <> old.status and not (case old.status
    when 'approval' then new.status in ('ready', 'paid', 'failed', 'declined', 'cancelled', 'accepted', 'unknown')
    when 'ready' then new.status in ('sending', 'approval', 'failed', 'accepted', 'unknown', 'paid')
    when 'sending' then new.status in ('accepted', 'unknown', 'approval', 'failed', 'paid')
    when 'accepted' then new.status in ('paid', 'failed', 'unknown')
    when 'unknown' then new.status in ('accepted', 'paid', 'failed', 'approval')
    when 'paid' then new.status = 'reversed' and old.hand_transaction_id is null
    else false
  end) then
    raise exception 'withdrawal % is %, not to become %', old.reference, old.status, new.status using errcode = 'DW012';
  end if;
  if old.status = 'unknown' and new.status = 'approval' and new.not_found < 2 then
    raise exception 'withdrawal % may have been paid', old.reference using errcode = 'DW012';
  end if;
  if old.sent_at is not null and new.sent_at is null then
    raise exception 'withdrawal % was sent', old.reference using errcode = 'DW012';
  end if;
  return new;
end $$;
