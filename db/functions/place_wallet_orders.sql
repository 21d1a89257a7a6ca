-- Makes the orders of one purchase and pays them from the buyer's wallet, or refuses and changes nothing but the
-- memory of the key. An order with a client's id is the same order whenever it is asked for, and a refusal of it is not remembered. One call, so that a checkout is one round trip. The caller has checked the form of the input.
-- For a card payment, whose money the caller has put into the wallet in the same transaction, p_payment is its
-- reference and p_surcharge what was paid on top, which is shared out over the orders to the pesewa.
--   p_items: [{ "product": uuid or null, "network": text, "offer": text, "receiver": text, "seen": pesewas, "clientId": text or null }]
-- Replies { "outcome": "placed" | "refused" | "key-reused", "replayed": boolean, ... }.
create or replace function place_wallet_orders(
  p_user uuid, p_key text, p_request_hash bytea, p_items jsonb, p_now timestamptz, p_payment text default null, p_surcharge bigint default 0
) returns jsonb language plpgsql as $$
declare
  wallet record;
  buyer record;
  known record;
  item record;
  found_package record;
  refused jsonb := '[]';
  lines jsonb := '[]';
  price bigint;
  total bigint := 0;
  so_far bigint := 0;
  placed jsonb := '[]';
  made orders;
  -- How many refusals of a user are remembered; older ones are decided anew when they are asked for again.
  most_refusals constant integer := 20;
  own_id constant text := case when jsonb_array_length(p_items) = 1 then p_items -> 0 ->> 'clientId' end;
  result jsonb;
begin
  select account_id, balance_pesewas, total_purchase_pesewas, version into wallet from wallets where user_id = p_user for update;

  -- Behind the wallet's lock, two requests with one key come here one after the other.
  select request_hash, outcome into known from idempotency_keys where user_id = p_user and key = p_key;
  if found then
    if known.request_hash <> p_request_hash then
      return jsonb_build_object('outcome', 'key-reused', 'replayed', false);
    end if;
    if known.outcome ? 'lines' then
      return known.outcome - 'lines' || jsonb_build_object('replayed', true, 'items', refused_lines(p_items, known.outcome ->> 'lines'));
    end if;
    return known.outcome || '{"replayed": true}';
  end if;

  -- The id that a client gave an order names it for good: a card payment may have bought it, or its key was pruned.
  if own_id is not null then
    select * into made from orders where user_id = p_user and client_id = own_id;
    if found then
      select * into item
      from jsonb_to_record(p_items -> 0) as field(product uuid, network text, offer text, receiver text, seen bigint);
      if (made.offer, made.receiver, made.price_pesewas) is distinct from (item.offer, item.receiver, item.seen)
        or (item.product is null and made.network <> item.network) or made.product_id <> item.product then
        return jsonb_build_object('outcome', 'key-reused', 'replayed', false);
      end if;
      return jsonb_build_object('outcome', 'placed', 'replayed', true, 'orders', jsonb_build_array(to_jsonb(made)),
        'balancePesewas', wallet.balance_pesewas, 'totalPurchasePesewas', wallet.total_purchase_pesewas, 'balanceVersion', wallet.version);
    end if;
  end if;

  -- Money that a card has paid already is settled all the same.
  if p_payment is null and exists (select from purchase_pauses where lifted_at is null) then
    return jsonb_build_object('outcome', 'refused', 'replayed', false, 'code', 'PAUSED');
  end if;

  -- Read after the lock was had: a demotion or a ban that was committed while this call waited counts.
  select level, status into buyer from users where id = p_user;
  if buyer.status <> 'Active' then
    return jsonb_build_object('outcome', 'refused', 'replayed', false, 'code', 'BANNED');
  end if;

  for item in
    select (entry.ordinality - 1)::integer as index, field.*
    from jsonb_array_elements(p_items) with ordinality entry,
      jsonb_to_record(entry.value) as field(product uuid, network text, offer text, receiver text, seen bigint, "clientId" text)
    order by entry.ordinality
  loop
    -- Without a product's id, several products of a network may have the offer: the one at the price seen is meant.
    select p.id, p.network, p.status, p.image_hash, k.offer,
      case when buyer.level = 'Customer' then k.price_customer_pesewas else k.price_agent_pesewas end as price
    into found_package
    from packages k join products p on p.id = k.product_id
    where k.offer = item.offer and (p.id = item.product or (item.product is null and p.network = item.network))
    order by p.status = 'available' desc,
      (case when buyer.level = 'Customer' then k.price_customer_pesewas else k.price_agent_pesewas end) = item.seen desc, p.seq
    limit 1;

    if not found or found_package.status <> 'available' then
      refused := refused || jsonb_build_object('index', item.index, 'code', 'NOT_AVAILABLE', 'offer', item.offer,
        'network', coalesce(item.network, found_package.network));
      continue;
    end if;
    price := found_package.price;
    if price <> item.seen then
      refused := refused || jsonb_build_object('index', item.index, 'code', 'PRICE_CHANGED', 'offer', item.offer,
        'network', found_package.network, 'pricePesewas', price);
      continue;
    end if;
    total := total + price;
    lines := lines || jsonb_build_object('product', found_package.id, 'network', found_package.network, 'offer', found_package.offer,
      'image', found_package.image_hash, 'receiver', item.receiver, 'price', price, 'clientId', item."clientId");
  end loop;

  if refused <> '[]' then
    result := jsonb_build_object('outcome', 'refused', 'replayed', false, 'code', refused -> 0 ->> 'code', 'items', refused);
  elsif total + p_surcharge > wallet.balance_pesewas then
    result := jsonb_build_object('outcome', 'refused', 'replayed', false, 'code', 'INSUFFICIENT_BALANCE',
      'totalPesewas', total, 'balancePesewas', wallet.balance_pesewas);
  else
    for item in
      select line.* from jsonb_array_elements(lines) with ordinality entry,
        jsonb_to_record(entry.value) as line(product uuid, network text, offer text, image text, receiver text, price bigint, "clientId" text)
      order by entry.ordinality
    loop
      insert into orders (client_id, user_id, product_id, network, offer, image_hash, level, receiver, price_pesewas,
        surcharge_pesewas, paid_with, payment_reference, reference, created_at)
      values (item."clientId", p_user, item.product, item.network, item.offer, item.image, buyer.level, item.receiver, item.price,
        p_surcharge * (so_far + item.price) / total - p_surcharge * so_far / total,
        case when p_payment is null then 'wallet' else 'card' end, p_payment, new_reference(), p_now)
      returning * into made;
      perform post_entry('order:' || made.id, 'order', made.network || ' ' || made.offer || ' to ' || made.receiver, p_user,
        array[wallet.account_id, 1], array[-made.price_pesewas, made.price_pesewas], p_now);
      so_far := so_far + item.price;
      placed := placed || to_jsonb(made);
    end loop;
    if p_surcharge > 0 then
      perform post_entry('card-surcharge:' || p_payment, 'card-surcharge', 'Card surcharge', p_user,
        array[wallet.account_id, 2], array[-p_surcharge, p_surcharge], p_now);
    end if;
    update wallets set total_purchase_pesewas = total_purchase_pesewas + total where account_id = wallet.account_id
    returning jsonb_build_object('outcome', 'placed', 'replayed', false, 'orders', placed, 'balancePesewas', balance_pesewas,
      'totalPurchasePesewas', total_purchase_pesewas, 'balanceVersion', version) into result;
  end if;

  if result ->> 'outcome' = 'refused' then
    -- A client's id names an order. Where none was made it stays free, so that whoever topped up, saw the new price or
    -- paid by card meanwhile gets the order under it.
    if own_id is not null then
      return result;
    end if;
    delete from idempotency_keys where user_id = p_user and outcome ->> 'outcome' = 'refused' and key in (
      select key from idempotency_keys where user_id = p_user and outcome ->> 'outcome' = 'refused'
      order by created_at desc, key offset most_refusals - 1
    );
  end if;

  insert into idempotency_keys (user_id, key, request_hash, outcome, created_at)
  values (p_user, p_key, p_request_hash, case when result ? 'items' then result - 'items' || (
    -- The request has the rest: "3" is a line that is not available, "4:550" one whose price is 550 now.
    select jsonb_build_object('lines', string_agg(concat_ws(':', line ->> 'index', line ->> 'pricePesewas'), ' ' order by entry.ordinality))
    from jsonb_array_elements(result -> 'items') with ordinality entry (line)
  ) else result end, p_now);
  return result;
end $$;
