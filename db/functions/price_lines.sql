-- Prices the lines of a purchase for a buyer of the given level. Every way to buy prices its lines here. A hidden package is not available.
--   p_lines: [{ "product": uuid or null, "network": text or null, "offer": text, "receiver": text, "seen": pesewas, "clientId": text or null }]
-- Returns one row per line, in their order. "refused" is null when the line can be bought at the price that the buyer saw, else
-- { "index", "code": "NOT_AVAILABLE" | "PRICE_CHANGED", "offer", "network", "pricePesewas": only when the price changed,
-- "soldOut": true when it is on sale and the stock of checkers does not suffice for it and the lines before }.
create or replace function price_lines(p_level text, p_lines jsonb) returns table (
  product_id uuid, network text, offer text, image_hash text, receiver text, client_id text, price_pesewas bigint, refused jsonb
) language sql stable as $$
  select wanted.id, wanted.network, wanted.offer, wanted.image_hash, wanted.receiver, wanted."clientId", wanted.price,
    case
      when wanted.price is null or wanted.status <> 'available' then jsonb_build_object('index', wanted.place - 1, 'code', 'NOT_AVAILABLE',
        'offer', wanted.offer, 'network', coalesce(wanted.asked, wanted.network))
      when wanted.network = 'WAEC Checkers' and too_few_checkers(wanted.kind, wanted.so_far) then jsonb_build_object('index', wanted.place - 1,
        'code', 'NOT_AVAILABLE', 'offer', wanted.offer, 'network', wanted.network, 'soldOut', true)
      when wanted.price <> wanted.seen then jsonb_build_object('index', wanted.place - 1, 'code', 'PRICE_CHANGED',
        'offer', wanted.offer, 'network', wanted.network, 'pricePesewas', wanted.price)
    end
  from (
    select entry.place, line.network as asked, line.offer, line.receiver, line.seen, line."clientId", found.*, m.kind,
      sum(m.units) over (partition by m.kind order by entry.place) as so_far
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
    left join checker_packages m on found.network = 'WAEC Checkers' and m.product_id = found.id and m.offer = line.offer
  ) wanted
  order by wanted.place
$$;
