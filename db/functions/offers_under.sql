-- Every package of the house in a shop, as shop_offers; for a sub-agent's under p_above, the agent's shop, what it costs the agent too
-- ("agent_pesewas"), and whether the agent has set what sub-agents pay ("agent_own"). Sub-agents pay 5 percent more than the agent otherwise, to
-- the nearest ten pesewas. A price that the house has overtaken is not sold until somebody has looked at it.
create or replace function offers_under(p_shop uuid, p_above uuid) returns table (
  product_id uuid, product_seq bigint, place smallint, network text, image_hash text, offer text, house_pesewas bigint, agent_pesewas bigint,
  agent_own boolean, cost_pesewas bigint, floor_pesewas bigint, ceiling_pesewas bigint, price_pesewas bigint, own boolean, state text
) language sql stable as $$
  select p.id, p.seq, k.position, p.network, p.image_hash, k.offer, k.price_customer_pesewas, k.price_agent_pesewas, t.price_pesewas is not null,
    cost.pesewas, bounds.floor, bounds.ceiling, priced.price, s.price_pesewas is not null,
    case when p.status <> 'available' or (p.network = 'WAEC Checkers' and sold_out(p.id, k.offer)) then 'not-available' when s.hidden then 'hidden'
      when priced.price < bounds.floor or (p_above is not null and cost.pesewas < k.price_agent_pesewas + r.min_profit_pesewas) then 'below-cost'
      when priced.price > bounds.ceiling then 'above-highest' else 'on-sale' end
  from agent_shop_rules r cross join products p join packages k on k.product_id = p.id and not k.hidden
  left join agent_shops a on a.id = p_shop
  left join shop_prices s on s.shop_id = p_shop and s.product_id = p.id and s.offer = k.offer
  left join sub_agent_prices t on t.shop_id = p_above and t.product_id = p.id and t.offer = k.offer
  cross join lateral (
    select case when p_above is null then k.price_agent_pesewas else coalesce(t.price_pesewas, greatest(
      k.price_agent_pesewas + r.min_profit_pesewas, round(k.price_agent_pesewas * 105 / 1000.0)::bigint * 10
    )) end as pesewas
  ) cost
  cross join lateral (
    select k.price_agent_pesewas * (100 + coalesce(a.max_markup, r.max_markup)) as times
  ) most
  cross join lateral (
    select cost.pesewas + r.min_profit_pesewas as floor, greatest(
      k.price_agent_pesewas + r.min_profit_pesewas, k.price_customer_pesewas,
      least(round(most.times / 5000.0)::bigint * 50, most.times / 100)
    ) as ceiling
  ) bounds
  cross join lateral (
    select coalesce(s.price_pesewas, greatest(k.price_customer_pesewas, bounds.floor)) as price
  ) priced
$$;
