-- Puts what a wallet's owner has set aside (reserveMoney in server/ledger/ledger.ts) back into the wallet. Call it wherever the wallet's
-- money is needed, with the wallet locked.
create or replace function return_reserved(p_account bigint, p_now timestamptz) returns void language plpgsql as $$
declare
  reserved constant bigint := (select reserved_pesewas from wallets where account_id = p_account);
begin
  if reserved > 0 then
    update wallets set reserved_pesewas = 0, reserved_until = null where account_id = p_account;
    perform post_entry('reservation-returned:' || gen_random_uuid(), 'reservation-returned', 'Back from what was set aside', null,
      array[p_account, 23], array[reserved, -reserved], p_now);
  end if;
end $$;
