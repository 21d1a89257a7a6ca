-- place_wallet_orders for the owner of a working key of the developer API. A test key never buys, whatever the program says.
-- The key and its owner stay locked: ending the key, a ban or a demotion waits for this purchase, or is seen by it.
-- Returns null, with nothing done, when the key does not work.
create or replace function place_key_orders(p_hash bytea, p_key text, p_request_hash bytea, p_items jsonb, p_now timestamptz)
returns jsonb language plpgsql as $$
declare
  buyer uuid;
begin
  select u.id into buyer from api_keys k join users u on u.id = k.user_id
  where k.hash = p_hash and not k.is_test and 'orders:write' = any (k.scopes)
    and k.ended_at is null and (k.expires_at is null or k.expires_at > p_now)
    and u.status = 'Active' and u.level <> 'Customer'
    and (k.pin_proven or not exists (select from transaction_pins t where t.user_id = u.id and t.at_checkout))
  for share of k, u;
  if not found then
    return null;
  end if;
  -- A key that bought a list buys nothing else. The wallet's lock makes this wait for such a list.
  perform from wallets where user_id = buyer for update;
  if exists (select from bulk_jobs where user_id = buyer and key = p_key) then
    return jsonb_build_object('outcome', 'key-reused', 'replayed', false);
  end if;
  return place_wallet_orders(buyer, p_key, p_request_hash, p_items, p_now);
end $$;
