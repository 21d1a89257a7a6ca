-- place_wallet_orders, or place_proven_orders where p_proof is given, for who wants to be asked before the same bundle goes to the same number
-- twice: then nothing is bought, "code" is ON_THE_WAY and "items" are those of on_the_way. The key is not used up: the same attempt may go on.
create or replace function place_asking_orders(
  p_user uuid, p_key text, p_request_hash bytea, p_items jsonb, p_now timestamptz, p_proof bytea default null
) returns jsonb language plpgsql as $$
declare
  outcome jsonb;
begin
  perform set_config('shop.asks_on_the_way', 'yes', true);
  outcome := case when p_proof is null then place_wallet_orders(p_user, p_key, p_request_hash, p_items, p_now)
    else place_proven_orders(p_proof, p_user, p_key, p_request_hash, p_items, p_now) end;
  perform set_config('shop.asks_on_the_way', '', true);
  return outcome;
end $$;
