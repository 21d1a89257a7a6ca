-- Every package of the house in an agent's shop: what it costs the agent (a sub-agent what their agent asks), the least and the most that it may
-- sell for, and its price now. "state" is on-sale, or why it cannot be bought. A price that the house has overtaken is not sold until the
-- agent has looked at it.
create or replace function shop_offers(p_shop uuid) returns table (
  product_id uuid, product_seq bigint, place smallint, network text, image_hash text, offer text, house_pesewas bigint, cost_pesewas bigint,
  floor_pesewas bigint, ceiling_pesewas bigint, price_pesewas bigint, own boolean, state text
) language sql stable as $$
  select product_id, product_seq, place, network, image_hash, offer, house_pesewas, cost_pesewas, floor_pesewas, ceiling_pesewas, price_pesewas, own,
    state
  from offers_under(p_shop, agent_above(p_shop))
$$;
