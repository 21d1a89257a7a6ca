-- Places the orders of a guest in an agent's shop, paid from the account for guests' payments (9), which the caller has credited in this
-- transaction; all of them, or none, in as many statements for twenty lines as for one. The surcharge is divided among them as by
-- place_wallet_orders.
-- Returns { "outcome": "placed", "orders": [...] } or { "outcome": "refused", "code": "CLOSED" | "NOT_AVAILABLE" | "PRICE_CHANGED" }.
create or replace function place_shop_orders(
  p_shop uuid, p_phone text, p_payment text, p_surcharge bigint, p_lines jsonb, p_now timestamptz
) returns jsonb language plpgsql as $$
declare
  made record;
  placed jsonb;
  above uuid;
  -- What the agent pays the house, for each line; of a sub-agent's shop that is less than what the line costs the sub-agent.
  bases bigint[];
begin
  -- Wait for whoever changes limits, the shop or the catalogue at this moment: what is sold is within the bounds of one moment.
  perform from agent_shop_rules for share;
  perform from agent_shops where id = p_shop for share;
  select s.shop_id into above from agent_shops a join sub_agents s on s.user_id = a.owner_id and s.ended_at is null where a.id = p_shop;
  if above is not null then
    -- The agent's prices and the end of the sub-agent wait as well; which of them came first is read anew.
    perform from agent_shops where id = above for share;
    perform from sub_agents where user_id = (select owner_id from agent_shops where id = p_shop) and ended_at is null for share;
    above := agent_above(p_shop);
  end if;
  perform from products where id in (select (entry ->> 'product')::uuid from jsonb_array_elements(p_lines) entry) order by id for share;
  if shop_closed(p_shop) is not null then
    return jsonb_build_object('outcome', 'refused', 'code', 'CLOSED');
  end if;

  select array_agg(gen_random_uuid() order by place) as ids, array_agg(product_id order by place) as products, array_agg(network order by place) as networks,
    array_agg(offer order by place) as offers, array_agg(image_hash order by place) as images, array_agg(receiver order by place) as receivers,
    array_agg(price_pesewas order by place) as prices, array_agg(cost_pesewas order by place) as costs, array_agg(floor_pesewas order by place) as floors,
    array_agg(ceiling_pesewas order by place) as ceilings, sum(price_pesewas)::bigint as total,
    (array_agg(refused ->> 'code' order by place) filter (where refused is not null))[1] as refused
  into made
  from price_shop_lines(p_shop, p_lines) with ordinality as priced (product_id, network, offer, image_hash, receiver, price_pesewas, cost_pesewas,
    floor_pesewas, ceiling_pesewas, refused, place);
  if made.refused is not null then
    return jsonb_build_object('outcome', 'refused', 'code', made.refused);
  end if;
  if 'WAEC Checkers' = any (made.networks) and short_of_checkers(made.products, made.offers) is not null then
    return jsonb_build_object('outcome', 'refused', 'code', 'NOT_AVAILABLE');
  end if;

  if above is null then
    bases := made.costs;
  else
    select array_agg(k.price_agent_pesewas order by line.place) into bases
    from unnest(made.products, made.offers) with ordinality as line (product, offer, place)
    join packages k on k.product_id = line.product and k.offer = line.offer;
  end if;

  with inserted as (
    insert into orders (id, product_id, network, offer, image_hash, level, receiver, price_pesewas, surcharge_pesewas, paid_with, payment_reference,
      reference, created_at, shop_id, guest_phone, agent_profit_pesewas)
    select id, product, network, offer, image, 'Customer', receiver, price,
      p_surcharge * so_far / made.total - p_surcharge * (so_far - price) / made.total, 'card', p_payment, new_reference(), p_now, p_shop, p_phone,
      price - cost
    from (
      select *, (sum(price) over (order by place))::bigint as so_far
      from unnest(made.ids, made.products, made.networks, made.offers, made.images, made.receivers, made.prices, bases) with ordinality
        as line (id, product, network, offer, image, receiver, price, cost, place)
    ) line
    order by place
    returning *
  )
  select jsonb_agg(to_jsonb(inserted) order by seq) into placed from inserted;
  insert into profit_shares (order_id, shop_id, price_pesewas, cost_pesewas, floor_pesewas, ceiling_pesewas, sold_at)
  select id, p_shop, price, cost, floor, ceiling, p_now
  from unnest(made.ids, made.prices, made.costs, made.floors, made.ceilings) with ordinality as line (id, price, cost, floor, ceiling, place)
  order by place;
  if above is not null then
    insert into commissions (order_id, shop_id, sold_in, price_pesewas, cost_pesewas, floor_pesewas, sold_at)
    select id, above, p_shop, cost, base, base + r.min_profit_pesewas, p_now
    from unnest(made.ids, made.costs, bases) with ordinality as line (id, cost, base, place) cross join agent_shop_rules r
    order by place;
  end if;
  perform post_entries('order', null, 9, 8,
    (select array_agg('order:' || id order by place) from unnest(made.ids) with ordinality as line (id, place)),
    (select array_agg(network || ' ' || offer || ' to ' || receiver order by place)
      from unnest(made.networks, made.offers, made.receivers) with ordinality as line (network, offer, receiver, place)),
    made.prices, p_now);
  if p_surcharge > 0 then
    perform post_entry('card-surcharge:' || p_payment, 'card-surcharge', 'Card surcharge', null,
      array[9, 2]::bigint[], array[-p_surcharge, p_surcharge], p_now);
  end if;
  if 'WAEC Checkers' = any (made.networks) and sell_checkers(made.ids, p_now) > 0 then
    select jsonb_agg(to_jsonb(o) order by o.seq) into placed from orders o where o.id = any (made.ids);
  end if;
  if p_lines @? '$[*].afa' then
    perform use_afa_forms(null, p_shop, p_lines, made.ids);
  end if;
  return jsonb_build_object('outcome', 'placed', 'orders', placed);
end $$;
