-- place_key_orders that asks as place_asking_orders does.
create or replace function place_asking_key_orders(p_hash bytea, p_key text, p_request_hash bytea, p_items jsonb, p_now timestamptz)
returns jsonb language plpgsql as $$
declare
  outcome jsonb;
begin
  perform set_config('shop.asks_on_the_way', 'yes', true);
  outcome := place_key_orders(p_hash, p_key, p_request_hash, p_items, p_now);
  perform set_config('shop.asks_on_the_way', '', true);
  return outcome;
end $$;
