-- Of the lines of a purchase, by their place from 0, those of which the buyer has the same bundle for the same number pending already, with the
-- newest such order: [{ "index", "seq", "network", "offer", "receiver" }], at most 100 of them, or null.
create or replace function on_the_way(p_user uuid, p_products uuid[], p_offers text[], p_receivers text[]) returns jsonb
language sql stable as $$
  select jsonb_agg(jsonb_build_object('index', found.place - 1, 'seq', found.seq, 'network', found.network, 'offer', found.offer,
    'receiver', found.receiver) order by found.place)
  from (
    select line.place, o.seq, o.network, o.offer, o.receiver
    from unnest(p_products, p_offers, p_receivers) with ordinality as line (product, offer, receiver, place)
    cross join lateral (
      select seq, network, offer, receiver from orders
      where receiver = line.receiver and user_id = p_user and status = 'pending' and offer = line.offer and product_id = line.product
      order by seq desc limit 1
    ) o
    order by line.place limit 100
  ) found
$$;
