-- Every package of the house in an agent's shop: what it costs the agent, the least and the most that it may sell for, and its price now.
-- "state" is on-sale, or why it cannot be bought. A price that the house has overtaken is not sold until the agent has looked at it.
create or replace function shop_offers(p_shop uuid) returns table (
  product_id uuid, product_seq bigint, place smallint, network text, image_hash text, offer text, house_pesewas bigint, cost_pesewas bigint,
  floor_pesewas bigint, ceiling_pesewas bigint, price_pesewas bigint, own boolean, state text
) language sql stable as $$
  select p.id, p.seq, k.position, p.network, p.image_hash, k.offer, k.price_customer_pesewas, k.price_agent_pesewas, bounds.floor, bounds.ceiling,
    priced.price, s.price_pesewas is not null,
    case when p.status <> 'available' then 'not-available' when s.hidden then 'hidden' when priced.price < bounds.floor then 'below-cost'
      when priced.price > bounds.ceiling then 'above-highest' else 'on-sale' end
  from agent_shop_rules r cross join products p join packages k on k.product_id = p.id and not k.hidden
  left join agent_shops a on a.id = p_shop
  left join shop_prices s on s.shop_id = p_shop and s.product_id = p.id and s.offer = k.offer
  cross join lateral (
    select k.price_agent_pesewas + r.min_profit_pesewas as floor, greatest(
      k.price_agent_pesewas + r.min_profit_pesewas, k.price_customer_pesewas,
      round(k.price_agent_pesewas * (100 + coalesce(a.max_markup, r.max_markup)) / 5000.0)::bigint * 50
    ) as ceiling
  ) bounds
  cross join lateral (
    select coalesce(s.price_pesewas, greatest(k.price_customer_pesewas, bounds.floor)) as price
  ) priced
$$;
