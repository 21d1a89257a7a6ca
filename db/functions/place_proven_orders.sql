-- place_wallet_orders for who has given their PIN: p_proof is the hash of the proof, which the purchase uses up if it comes about.
create or replace function place_proven_orders(
  p_proof bytea, p_user uuid, p_key text, p_request_hash bytea, p_items jsonb, p_now timestamptz
) returns jsonb language plpgsql as $$
begin
  -- The older function keeps its arguments, since processes of the release before call it.
  perform set_config('shop.pin_proof', encode(p_proof, 'hex'), true);
  return place_wallet_orders(p_user, p_key, p_request_hash, p_items, p_now);
end $$;
