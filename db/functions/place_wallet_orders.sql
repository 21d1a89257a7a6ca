-- Places all orders of one purchase and pays for them from the buyer's wallet, or refuses and charges nothing. One call, so
-- that a checkout is one round trip. The caller has validated the form of the input.
--   p_key: the idempotency key. The same key and p_request_hash get the same reply again, another hash gets "key-reused".
--     The clientId of a single line names its order for good, also after the key was deleted.
--   p_items: see price_lines.
--   p_payment, p_surcharge: a card payment whose money the caller has credited to the wallet in this transaction. The
--     surcharge is divided among the orders in proportion to their prices; the parts add up to it exactly.
-- Whoever has switched their PIN on gives a proof of it (place_proven_orders), except with the developer API's keys, which are a proof
-- of their own, and for what a payment settles, which was asked when it began.
-- place_asking_orders refuses what is on its way already. A line of AFA may name the form with the person's details ("afa", use_afa_forms).
-- Returns { "outcome": "placed" | "refused" | "key-reused", "replayed": boolean, ... }, the type PurchaseOutcome of
-- server/features/orders/purchases/purchases.sql.ts.
create or replace function place_wallet_orders(
  p_user uuid, p_key text, p_request_hash bytea, p_items jsonb, p_now timestamptz, p_payment text default null, p_surcharge bigint default 0
) returns jsonb language plpgsql as $$
declare
  wallet record;
  buyer record;
  known record;
  asked record;
  line record;
  lines jsonb := '[]';
  refused jsonb := '[]';
  total bigint := 0;
  so_far bigint := 0;
  placed jsonb := '[]';
  made orders;
  -- An old refusal has expired: the request is decided again.
  most_refusals constant integer := 20;
  ids uuid[] := array[]::uuid[];
  short integer;
  own_reference constant text := case when jsonb_array_length(p_items) = 1 then p_items -> 0 ->> 'clientReference' end;
  own_id constant text := case when jsonb_array_length(p_items) = 1 then p_items -> 0 ->> 'clientId' end;
  result jsonb;
begin
  select account_id, balance_pesewas, total_purchase_pesewas, version, reserved_pesewas into wallet from wallets where user_id = p_user for update;

  -- Requests with the same key queue on the wallet's lock above, so the second one finds the stored outcome here.
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

  -- The order may exist without its key: bought by card, or the key was deleted since.
  if own_id is not null then
    select * into made from orders where user_id = p_user and client_id = own_id;
    if found then
      select * into asked
      from jsonb_to_record(p_items -> 0) as field(product uuid, network text, offer text, receiver text, seen bigint);
      if (made.offer, made.receiver, made.price_pesewas) is distinct from (asked.offer, asked.receiver, asked.seen)
        or (asked.product is null and made.network <> asked.network) or made.product_id <> asked.product then
        return jsonb_build_object('outcome', 'key-reused', 'replayed', false);
      end if;
      return jsonb_build_object('outcome', 'placed', 'replayed', true, 'orders', jsonb_build_array(to_jsonb(made)),
        'balancePesewas', wallet.balance_pesewas, 'totalPurchasePesewas', wallet.total_purchase_pesewas, 'balanceVersion', wallet.version);
    end if;
  end if;

  -- A card payment is settled even during a pause, since its money has been taken already.
  if p_payment is null and exists (select from purchase_pauses where lifted_at is null) then
    return jsonb_build_object('outcome', 'refused', 'replayed', false, 'code', 'PAUSED');
  end if;

  -- Read after locking the wallet, so that a demotion or ban committed meanwhile counts.
  select level, status into buyer from users where id = p_user;
  if buyer.status <> 'Active' then
    return jsonb_build_object('outcome', 'refused', 'replayed', false, 'code', 'BANNED');
  end if;

  -- What the buyer's client set aside for this purchase, or for another, can be spent.
  if wallet.reserved_pesewas > 0 then
    perform return_reserved(wallet.account_id, p_now);
    wallet.balance_pesewas := wallet.balance_pesewas + wallet.reserved_pesewas;
  end if;

  for line in select * from price_lines(buyer.level, p_items) loop
    if line.refused is null then
      lines := lines || to_jsonb(line);
      total := total + line.price_pesewas;
    else
      refused := refused || line.refused;
    end if;
  end loop;

  -- A version before this one reads the payment of a list as one without lines: its money then stays in the wallet.
  if refused = '[]' and lines = '[]' then
    result := '{"outcome": "refused", "replayed": false, "code": "NOT_AVAILABLE", "items": []}';
  elsif refused <> '[]' then
    result := jsonb_build_object('outcome', 'refused', 'replayed', false, 'code', refused -> 0 ->> 'code', 'items', refused);
  elsif total + p_surcharge > wallet.balance_pesewas then
    result := jsonb_strip_nulls(jsonb_build_object('outcome', 'refused', 'replayed', false, 'code', 'INSUFFICIENT_BALANCE',
      'totalPesewas', total, 'balancePesewas', wallet.balance_pesewas, 'dispute', (
        select jsonb_build_object('heldPesewas', sum(m.pesewas), 'paidPesewas', sum(p.received_pesewas), 'payments', count(*))
        from disputed_money m join payments p on p.reference = m.payment_reference where m.account_id = wallet.account_id and m.pesewas > 0
        having count(*) > 0)));
  elsif lines @> '[{"network": "WAEC Checkers"}]' then
    select short_of_checkers(array_agg((entry.line ->> 'product_id')::uuid order by entry.place), array_agg(entry.line ->> 'offer' order by entry.place))
    into short from jsonb_array_elements(lines) with ordinality entry (line, place);
    if short is not null then
      refused := jsonb_build_array(jsonb_build_object('index', short - 1, 'code', 'NOT_AVAILABLE', 'offer', lines -> short - 1 ->> 'offer',
        'network', lines -> short - 1 ->> 'network', 'soldOut', true));
      result := jsonb_build_object('outcome', 'refused', 'replayed', false, 'code', 'NOT_AVAILABLE', 'items', refused);
    end if;
  end if;

  -- What a payment settles is placed in any case, and then waits for its details. Not stored: the same attempt goes on with a form that can be used.
  if result is null and p_payment is null and p_key !~ '^payment:' and p_items @? '$[*].afa' then
    short := unusable_afa_form(p_user, null, p_items);
    if short is not null then
      return jsonb_build_object('outcome', 'refused', 'replayed', false, 'code', 'AFA_DETAILS', 'index', short);
    end if;
  end if;

  -- With the wallet locked, two of the same purchase can't both find nothing. Not stored: the same attempt goes on without the question.
  if result is null and current_setting('shop.asks_on_the_way', true) = 'yes' then
    select on_the_way(p_user, array_agg((entry.line ->> 'product_id')::uuid order by entry.place),
      array_agg(entry.line ->> 'offer' order by entry.place), array_agg(entry.line ->> 'receiver' order by entry.place))
    into refused from jsonb_array_elements(lines) with ordinality entry (line, place);
    if refused is not null then
      return jsonb_build_object('outcome', 'refused', 'replayed', false, 'code', 'ON_THE_WAY', 'items', refused);
    end if;
  end if;

  if result is null and p_payment is null and p_key !~ '^(payment|v1):'
    and not take_pin_proof(p_user, decode(nullif(current_setting('shop.pin_proof', true), ''), 'hex'), p_now) then
    -- Not stored: the same attempt goes on with a proof.
    return jsonb_build_object('outcome', 'refused', 'replayed', false, 'code', 'PIN_REQUIRED');
  end if;

  if result is null then
    for line in
      select * from jsonb_to_recordset(lines) as line (
        product_id uuid, network text, offer text, image_hash text, receiver text, client_id text, price_pesewas bigint)
    loop
      insert into orders (client_id, user_id, product_id, network, offer, image_hash, level, receiver, price_pesewas,
        surcharge_pesewas, paid_with, payment_reference, reference, created_at, channel, client_reference)
      values (line.client_id, p_user, line.product_id, line.network, line.offer, line.image_hash, buyer.level, line.receiver, line.price_pesewas,
        p_surcharge * (so_far + line.price_pesewas) / total - p_surcharge * so_far / total,
        case when p_payment is null then 'wallet' else 'card' end, p_payment, new_reference(), p_now,
        nullif(current_setting('shop.channel', true), ''), own_reference)
      returning * into made;
      perform post_entry('order:' || made.id, 'order', made.network || ' ' || made.offer || ' to ' || made.receiver, p_user,
        array[wallet.account_id, 8], array[-made.price_pesewas, made.price_pesewas], p_now);
      so_far := so_far + line.price_pesewas;
      placed := placed || to_jsonb(made);
      if made.network = 'WAEC Checkers' then
        ids := ids || made.id;
      end if;
    end loop;
    if p_surcharge > 0 then
      -- A further order of the same payment has "payment:<reference>:<number>" for a key.
      perform post_entry('card-surcharge' || coalesce('-' || substring(p_key from '^payment:.*:([0-9]+)$'), '') || ':' || p_payment,
        'card-surcharge', 'Card surcharge', p_user,
        array[wallet.account_id, 2], array[-p_surcharge, p_surcharge], p_now);
    end if;
    if cardinality(ids) > 0 and sell_checkers(ids, p_now) > 0 then
      select jsonb_agg(to_jsonb(o) order by entry.place) into placed
      from jsonb_array_elements(placed) with ordinality entry (bought, place) join orders o on o.id = (entry.bought ->> 'id')::uuid;
    end if;
    if placed @> '[{"network": "AFA"}]' then
      perform use_afa_forms(p_user, null, p_items, array(
        select (entry.bought ->> 'id')::uuid from jsonb_array_elements(placed) with ordinality entry (bought, place) order by entry.place));
      select jsonb_agg(case when entry.bought ->> 'network' = 'AFA' and not exists (
          select from afa_registrations where order_id = (entry.bought ->> 'id')::uuid
        ) then entry.bought || '{"needs_details": true}' else entry.bought end order by entry.place) into placed
      from jsonb_array_elements(placed) with ordinality entry (bought, place);
    end if;
    update wallets set total_purchase_pesewas = total_purchase_pesewas + total where account_id = wallet.account_id
    returning jsonb_build_object('outcome', 'placed', 'replayed', false, 'orders', placed, 'balancePesewas', balance_pesewas,
      'totalPurchasePesewas', total_purchase_pesewas, 'balanceVersion', version) into result;
    if wallet.reserved_pesewas > 0 then
      perform return_set_aside(p_user, p_now);
    end if;
  end if;

  if result ->> 'outcome' = 'refused' then
    -- A refusal is not stored under a client's order id: the buyer may top up, accept the new price or pay by card and then get
    -- the order under the same id.
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
    -- Refused lines are stored in short form: "3" means line 3 is not available; "4:550" means line 4 now costs 550;
    -- "5:sold-out" is on sale, but none is left.
    select jsonb_build_object('lines', string_agg(concat_ws(':', entry.line ->> 'index', entry.line ->> 'pricePesewas',
      case when entry.line ? 'soldOut' then 'sold-out' end), ' ' order by entry.place))
    from jsonb_array_elements(refused) with ordinality entry (line, place)
  ) else result end, p_now);
  return result;
end $$;
