-- Prices the lines of a purchase for a buyer of the given level. Every way to buy prices its lines here. A hidden package is not available.
--   p_lines: [{ "product": uuid or null, "network": text or null, "offer": text, "receiver": text, "seen": pesewas, "clientId": text or null }]
-- Returns one row per line, in their order. "refused" is null when the line can be bought at the price that the buyer saw, else
-- { "index", "code": "NOT_AVAILABLE" | "PRICE_CHANGED", "offer", "network", "pricePesewas": only when the price changed,
-- "soldOut": true when it is on sale and none is left }.
create or replace function price_lines(p_level text, p_lines jsonb) returns table (
  product_id uuid, network text, offer text, image_hash text, receiver text, client_id text, price_pesewas bigint, refused jsonb
) language sql stable as $$
  select found.id, found.network, line.offer, found.image_hash, line.receiver, line."clientId", found.price,
    case
      when found.price is null or found.status <> 'available' then jsonb_build_object('index', entry.place - 1, 'code', 'NOT_AVAILABLE',
        'offer', line.offer, 'network', coalesce(line.network, found.network))
      when found.network = 'WAEC Checkers' and sold_out(found.id, line.offer) then jsonb_build_object('index', entry.place - 1,
        'code', 'NOT_AVAILABLE', 'offer', line.offer, 'network', found.network, 'soldOut', true)
      when found.price <> line.seen then jsonb_build_object('index', entry.place - 1, 'code', 'PRICE_CHANGED',
        'offer', line.offer, 'network', found.network, 'pricePesewas', found.price)
    end
  from jsonb_array_elements(p_lines) with ordinality entry (line, place)
  cross join jsonb_to_record(entry.line) as line (product uuid, network text, offer text, receiver text, seen bigint, "clientId" text)
  left join lateral (
    select p.id, p.network, p.status, p.image_hash, priced.price
    from products p
    left join packages k on k.product_id = p.id and k.offer = line.offer and not k.hidden
    cross join lateral (select case p_level when 'Customer' then k.price_customer_pesewas else k.price_agent_pesewas end as price) priced
    where p.id = line.product or (line.product is null and p.network = line.network)
    -- Without a product id, several products of the network may have the offer: prefer one available at the price seen.
    order by k.offer is not null desc, p.status = 'available' desc, priced.price = line.seen desc, p.seq
    limit 1
  ) found on true
  order by entry.place
$$;
