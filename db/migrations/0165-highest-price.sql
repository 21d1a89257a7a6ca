-- The highest price of a shop's package is within the owner's percentage (db/functions/offers_under.sql): it was the nearest half cedi, 30.4 percent
-- above 4.60. What was allowed until now goes on at the highest price of today, instead of leaving the shop.
set local lock_timeout = '3s';
update shop_prices s set price_pesewas = b.highest
from agent_shops a, agent_shop_rules r, packages k, lateral (
  select k.price_agent_pesewas * (100 + coalesce(a.max_markup, r.max_markup)) as times,
    greatest(k.price_agent_pesewas + r.min_profit_pesewas, k.price_customer_pesewas) as least
) t, lateral (
  select greatest(t.least, least(round(t.times / 5000.0)::bigint * 50, t.times / 100)) as highest, greatest(t.least, round(t.times / 5000.0)::bigint * 50) as before
) b
where a.id = s.shop_id and k.product_id = s.product_id and k.offer = s.offer and s.price_pesewas > b.highest and s.price_pesewas <= b.before;
