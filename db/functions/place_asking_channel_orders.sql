-- place_channel_orders that asks as place_asking_orders does.
create or replace function place_asking_channel_orders(
  p_channel text, p_on_by_default boolean, p_proof bytea, p_user uuid, p_key text, p_request_hash bytea, p_items jsonb, p_now timestamptz
) returns jsonb language plpgsql as $$
declare
  outcome jsonb;
begin
  perform set_config('shop.asks_on_the_way', 'yes', true);
  outcome := place_channel_orders(p_channel, p_on_by_default, p_proof, p_user, p_key, p_request_hash, p_items, p_now);
  perform set_config('shop.asks_on_the_way', '', true);
  return outcome;
end $$;
