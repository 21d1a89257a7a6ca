-- Prices what a guest buys in an agent's shop, in the order of the lines. "refused" as in price_lines.
--   p_lines: [{ "product": uuid, "offer": text, "receiver": text, "seen": pesewas }]
create or replace function price_shop_lines(p_shop uuid, p_lines jsonb) returns table (
  product_id uuid, network text, offer text, image_hash text, receiver text, price_pesewas bigint, cost_pesewas bigint, floor_pesewas bigint,
  ceiling_pesewas bigint, refused jsonb
) language sql stable as $$
  select found.product_id, found.network, line.offer, found.image_hash, line.receiver, found.price_pesewas, found.cost_pesewas,
    found.floor_pesewas, found.ceiling_pesewas,
    case
      when found.state is distinct from 'on-sale' then jsonb_build_object('index', entry.place - 1, 'code', 'NOT_AVAILABLE',
        'offer', line.offer, 'network', found.network)
      when found.price_pesewas <> line.seen then jsonb_build_object('index', entry.place - 1, 'code', 'PRICE_CHANGED',
        'offer', line.offer, 'network', found.network, 'pricePesewas', found.price_pesewas)
    end
  from jsonb_array_elements(p_lines) with ordinality entry (line, place)
  cross join jsonb_to_record(entry.line) as line (product uuid, offer text, receiver text, seen bigint)
  left join shop_offers(p_shop) found on found.product_id = line.product and found.offer = line.offer
  order by entry.place
$$;
