-- Places the orders of a guest in an agent's shop, paid from the account for guests' payments (9), which the caller has credited in this
-- transaction; all of them, or none. The surcharge is divided among them as by place_wallet_orders.
-- Returns { "outcome": "placed", "orders": [...] } or { "outcome": "refused", "code": "CLOSED" | "NOT_AVAILABLE" | "PRICE_CHANGED" }.
create or replace function place_shop_orders(
  p_shop uuid, p_phone text, p_payment text, p_surcharge bigint, p_lines jsonb, p_now timestamptz
) returns jsonb language plpgsql as $$
declare
  line record;
  made orders;
  lines jsonb;
  placed jsonb := '[]';
  refused text;
  total bigint;
  so_far bigint := 0;
begin
  -- Wait for whoever changes limits, the shop or the catalogue at this moment: what is sold is within the bounds of one moment.
  perform from agent_shop_rules for share;
  perform from agent_shops where id = p_shop for share;
  perform from products where id in (select (entry ->> 'product')::uuid from jsonb_array_elements(p_lines) entry) order by id for share;
  if shop_closed(p_shop) is not null then
    return jsonb_build_object('outcome', 'refused', 'code', 'CLOSED');
  end if;

  select jsonb_agg(to_jsonb(priced)), sum(priced.price_pesewas), (array_agg(priced.refused ->> 'code') filter (where priced.refused is not null))[1]
  into lines, total, refused from price_shop_lines(p_shop, p_lines) priced;
  if refused is not null then
    return jsonb_build_object('outcome', 'refused', 'code', refused);
  end if;

  for line in
    select * from jsonb_to_recordset(lines) as line (product_id uuid, network text, offer text, image_hash text, receiver text,
      price_pesewas bigint, cost_pesewas bigint, floor_pesewas bigint, ceiling_pesewas bigint)
  loop
    insert into orders (product_id, network, offer, image_hash, level, receiver, price_pesewas, surcharge_pesewas, paid_with, payment_reference,
      reference, created_at, shop_id, guest_phone, agent_profit_pesewas)
    values (line.product_id, line.network, line.offer, line.image_hash, 'Customer', line.receiver, line.price_pesewas,
      p_surcharge * (so_far + line.price_pesewas) / total - p_surcharge * so_far / total, 'card', p_payment,
      new_reference(), p_now, p_shop, p_phone, line.price_pesewas - line.cost_pesewas)
    returning * into made;
    insert into profit_shares (order_id, shop_id, price_pesewas, cost_pesewas, floor_pesewas, ceiling_pesewas, sold_at)
    values (made.id, p_shop, line.price_pesewas, line.cost_pesewas, line.floor_pesewas, line.ceiling_pesewas, p_now);
    perform post_entry('order:' || made.id, 'order', made.network || ' ' || made.offer || ' to ' || made.receiver, null,
      array[9, 8]::bigint[], array[-made.price_pesewas, made.price_pesewas], p_now);
    so_far := so_far + line.price_pesewas;
    placed := placed || to_jsonb(made);
  end loop;
  if p_surcharge > 0 then
    perform post_entry('card-surcharge:' || p_payment, 'card-surcharge', 'Card surcharge', null,
      array[9, 2]::bigint[], array[-p_surcharge, p_surcharge], p_now);
  end if;
  return jsonb_build_object('outcome', 'placed', 'orders', placed);
end $$;
