-- Whether p_user may spend from their wallet as far as the PIN goes. Without a proof (null) only who is not asked for one; a proof that was
-- given counts once, also for who is not asked. Call it in the transaction that spends.
create or replace function take_pin_proof(p_user uuid, p_hash bytea, p_now timestamptz) returns boolean language plpgsql as $$
begin
  if p_hash is null then
    return not exists (select from transaction_pins where user_id = p_user and at_checkout);
  end if;
  delete from pin_proofs where hash = p_hash and user_id = p_user and expires_at > p_now;
  return found;
end $$;
