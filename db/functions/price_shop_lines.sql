-- Prices what a guest buys in an agent's shop, in the order of the lines. "refused" as in price_lines.
--   p_lines: [{ "product": uuid, "offer": text, "receiver": text, "seen": pesewas }]
create or replace function price_shop_lines(p_shop uuid, p_lines jsonb) returns table (
  product_id uuid, network text, offer text, image_hash text, receiver text, price_pesewas bigint, cost_pesewas bigint, floor_pesewas bigint,
  ceiling_pesewas bigint, refused jsonb
) language sql stable as $$
  select wanted.product_id, wanted.network, wanted.offer, wanted.image_hash, wanted.receiver, wanted.price_pesewas, wanted.cost_pesewas,
    wanted.floor_pesewas, wanted.ceiling_pesewas,
    case
      when wanted.state is distinct from 'on-sale' then jsonb_build_object('index', wanted.place - 1, 'code', 'NOT_AVAILABLE',
        'offer', wanted.offer, 'network', wanted.network)
      when wanted.network = 'WAEC Checkers' and too_few_checkers(wanted.kind, wanted.so_far) then jsonb_build_object('index', wanted.place - 1,
        'code', 'NOT_AVAILABLE', 'offer', wanted.offer, 'network', wanted.network, 'soldOut', true)
      when wanted.price_pesewas <> wanted.seen then jsonb_build_object('index', wanted.place - 1, 'code', 'PRICE_CHANGED',
        'offer', wanted.offer, 'network', wanted.network, 'pricePesewas', wanted.price_pesewas)
    end
  from (
    select entry.place, line.offer, line.receiver, line.seen, found.product_id, found.network, found.image_hash, found.price_pesewas,
      found.cost_pesewas, found.floor_pesewas, found.ceiling_pesewas, found.state, m.kind,
      sum(m.units) over (partition by m.kind order by entry.place) as so_far
    from jsonb_array_elements(p_lines) with ordinality entry (line, place)
    cross join jsonb_to_record(entry.line) as line (product uuid, offer text, receiver text, seen bigint)
    left join shop_offers(p_shop) found on found.product_id = line.product and found.offer = line.offer
    left join checker_packages m on found.network = 'WAEC Checkers' and m.product_id = found.product_id and m.offer = line.offer
  ) wanted
  order by wanted.place
$$;
