-- Earnings leave a shop only with a proof of the PIN, where its agent has switched the PIN on, whichever program notes the withdrawal.
create or replace function guard_withdrawal_pin() returns trigger language plpgsql as $$
begin
  if not take_pin_proof(new.requested_by, decode(nullif(current_setting('shop.pin_proof', true), ''), 'hex'), new.created_at) then
    raise exception 'withdrawal % lacks a proof of the PIN', new.reference using errcode = 'DW014';
  end if;
  return new;
end $$;
