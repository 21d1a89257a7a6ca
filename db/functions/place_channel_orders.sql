-- place_proven_orders for a channel other than the site, which the owner switches on and limits by order and by day, per customer.
--   p_on_by_default: whether the channel is on until the owner has chosen.
--   p_proof: the hash of the proof that the buyer gave their PIN; such a channel always asks.
-- Returns what place_wallet_orders does, or refuses with "CHANNEL_OFF", or with "ORDER_LIMIT" or "DAY_LIMIT" and "mostPesewas", what may be
-- spent at most now.
create or replace function place_channel_orders(
  p_channel text, p_on_by_default boolean, p_proof bytea, p_user uuid, p_key text, p_request_hash bytea, p_items jsonb, p_now timestamptz
) returns jsonb language plpgsql as $$
declare
  rules record;
  wanted bigint;
  spent bigint;
  result jsonb;
begin
  -- Purchases of one customer queue here, so that two at once cannot both fit under the day's limit.
  perform from wallets where user_id = p_user for update;
  -- What was bought already is answered whatever the rules are now.
  if not exists (select from orders where user_id = p_user and client_id = p_items -> 0 ->> 'clientId') then
    select coalesce(is_on, p_on_by_default) as is_on, most_per_order_pesewas, most_per_day_pesewas into rules
    from channel_settings where channel = p_channel for share;
    select sum((line ->> 'seen')::bigint) into wanted from jsonb_array_elements(p_items) as line;
    select coalesce(sum(price_pesewas), 0) into spent from orders
    where user_id = p_user and channel = p_channel and status <> 'rejected' and created_at >= date_trunc('day', p_now at time zone 'UTC') at time zone 'UTC';
    if rules.is_on is not true then
      return '{"outcome": "refused", "replayed": false, "code": "CHANNEL_OFF"}';
    elsif wanted > rules.most_per_order_pesewas then
      return jsonb_build_object('outcome', 'refused', 'replayed', false, 'code', 'ORDER_LIMIT', 'mostPesewas', rules.most_per_order_pesewas);
    elsif spent + wanted > rules.most_per_day_pesewas then
      return jsonb_build_object('outcome', 'refused', 'replayed', false, 'code', 'DAY_LIMIT',
        'mostPesewas', greatest(rules.most_per_day_pesewas - spent, 0));
    end if;
  end if;
  perform set_config('shop.channel', p_channel, true);
  result := place_proven_orders(p_proof, p_user, p_key, p_request_hash, p_items, p_now);
  perform set_config('shop.channel', '', true);
  return result;
end $$;
