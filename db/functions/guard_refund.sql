-- What is owed stays, and a refund goes only the ways below. One that may have been sent becomes a code only as the provider says, or once
-- the provider has said twice that it does not have it and a person has looked.
create or replace function guard_refund() returns trigger language plpgsql as $$
begin
  if (new.id, new.payment_reference, new.order_id, new.phone, new.amount_pesewas, new.reason, new.created_at, new.user_id) is distinct from
     (old.id, old.payment_reference, old.order_id, old.phone, old.amount_pesewas, old.reason, old.created_at, old.user_id) then
    raise exception 'what is owed in refund % cannot be changed', old.id using errcode = 'DW013';
  end if;
  -- What is a code for a guest is the wallet for a customer; the table's checks say which of them it may be.
  if new.status <> old.status and not (case old.status
    when 'due' then new.status in ('sending', 'code', 'wallet', 'paid') or (new.status = 'returned' and new.sent_at is null)
    when 'sending' then new.status in ('accepted', 'unknown', 'code', 'wallet', 'paid')
    when 'accepted' then new.status in ('unknown', 'code', 'wallet', 'paid')
    when 'unknown' then new.status in ('accepted', 'code', 'wallet', 'paid') or (new.status = 'review' and new.not_found >= 2)
    when 'review' then new.status in ('sending', 'accepted', 'code', 'wallet', 'paid')
    -- A guest who wants no wallet is paid from the shop's phone.
    when 'code' then new.status in ('claimed', 'returned') or (new.status = 'paid' and new.hand_transaction_id is not null)
    -- The shop won the dispute after all, so that it is owed again.
    when 'returned' then new.status in ('due', 'code')
    else false
  end) then
    raise exception 'refund % is %, not to become %', old.id, old.status, new.status using errcode = 'DW013';
  end if;
  if new.status = 'paid' and new.hand_transaction_id is not null and old.status not in ('due', 'review', 'code', 'paid') then
    raise exception 'refund % is %, not to be paid by hand', old.id, old.status using errcode = 'DW013';
  end if;
  if old.sent_at is not null and new.sent_at is null then
    raise exception 'refund % was sent', old.id using errcode = 'DW013';
  end if;
  return new;
end $$;
