-- Buys the lines of a list from the buyer's wallet, all of them or none: what place_wallet_orders does for a cart, in a few statements
-- however many lines there are. The caller has validated the form of the input and locked the buyer's rights.
--   p_job: { "key", "name", "placedBy", "groupId" or null }; the same key and p_request_hash find the same list again. Of a list that a card
--     payment settles also { "payment", "surcharge" }, as p_payment and p_surcharge of place_wallet_orders, or { "topUp" }, the reference of the
--     top-up whose money the caller has put into the wallet. Of one placed by hand also { "pinProof": hex }, the hash of the proof of a PIN.
--     With { "asks": true } it refuses what is on its way already (on_the_way).
--   p_lines: [{ "number", "text", "name", "product" or null, "network" or null, "offer", "receiver", "seen": pesewas, "retryOf" or null }]
--   p_left_out: [{ "number", "text", "why" }], kept beside them.
--   p_total: what the buyer agreed to pay, in pesewas.
-- Returns { "outcome": "placed" | "refused" | "key-reused", ... }, the type BulkOutcome of server/features/orders/bulk/bulk.sql.ts.
create or replace function place_bulk_orders(
  p_user uuid, p_job jsonb, p_request_hash bytea, p_lines jsonb, p_left_out jsonb, p_total bigint, p_now timestamptz
) returns jsonb language plpgsql as $$
declare
  -- No more than a reader looks at.
  most_refused constant integer := 100;
  payment constant text := p_job ->> 'payment';
  surcharge constant bigint := coalesce((p_job ->> 'surcharge')::bigint, 0);
  wallet record;
  buyer record;
  known record;
  made record;
  refusals jsonb;
  total bigint;
  keys text[];
  memos text[];
  prices bigint[];
  retries uuid[];
  job uuid;
  short integer;
begin
  select account_id, balance_pesewas, total_purchase_pesewas, version, reserved_pesewas into wallet from wallets where user_id = p_user for update;

  -- Requests with the same key queue on the wallet's lock above, so the second one finds the list here.
  select id, request_hash into known from bulk_jobs where user_id = p_user and key = p_job ->> 'key';
  if found then
    if known.request_hash <> p_request_hash then
      return jsonb_build_object('outcome', 'key-reused');
    end if;
    return jsonb_build_object('outcome', 'placed', 'replayed', true, 'jobId', known.id, 'balancePesewas', wallet.balance_pesewas,
      'totalPurchasePesewas', wallet.total_purchase_pesewas, 'balanceVersion', wallet.version);
  end if;

  -- A card payment is settled even during a pause, since its money has been taken already.
  if payment is null and exists (select from purchase_pauses where lifted_at is null) then
    return jsonb_build_object('outcome', 'refused', 'code', 'PAUSED');
  end if;
  -- Read after locking the wallet, so that a demotion or ban committed meanwhile counts.
  select level, status into buyer from users where id = p_user;
  if buyer.status <> 'Active' then
    return jsonb_build_object('outcome', 'refused', 'code', 'BANNED');
  end if;

  -- What the buyer's client set aside for this purchase, or for another, can be spent.
  if wallet.reserved_pesewas > 0 then
    perform return_reserved(wallet.account_id, p_now);
    wallet.balance_pesewas := wallet.balance_pesewas + wallet.reserved_pesewas;
  end if;

  -- A refunded order is bought again at most once; bulk_lines.retry_of is unique.
  select array_agg((line ->> 'retryOf')::uuid) into retries from jsonb_array_elements(p_lines) line where line ->> 'retryOf' is not null;
  if retries is not null and (
    (select count(*) from orders where id = any (retries) and user_id = p_user and status = 'rejected') <> cardinality(retries)
    or exists (select from bulk_lines where retry_of = any (retries))
  ) then
    return jsonb_build_object('outcome', 'refused', 'code', 'RETRIED');
  end if;

  -- Each package is priced once, however many lines have it.
  with line as materialized (
    select *, concat_ws('|', product, network, seen, offer) as kind
    from rows from (jsonb_to_recordset(p_lines) as (
      product uuid, network text, offer text, receiver text, seen bigint, "retryOf" uuid, number integer, text text, name text)) with ordinality
      as line (product, network, offer, receiver, seen, retry_of, number, written, name, place)
  ), kinds as materialized (
    select kind, row_number() over (order by kind) as place,
      jsonb_build_object('product', min(product::text), 'network', min(network), 'offer', min(offer), 'receiver', '', 'seen', min(seen)) as wanted
    from line group by kind
  ), priced as materialized (
    select kinds.kind, found.product_id, found.network, found.image_hash, found.price_pesewas, found.refused
    from kinds join price_lines(buyer.level, (select jsonb_agg(wanted order by place) from kinds)) with ordinality
      as found (product_id, network, offer, image_hash, receiver, client_id, price_pesewas, refused, place) using (place)
  ), one as (
    select line.*, priced.product_id, coalesce(priced.network, line.network) as sold_network, priced.image_hash, priced.price_pesewas,
      priced.refused, gen_random_uuid() as order_id
    from line join priced using (kind)
  )
  select array_agg(order_id order by place) as ids, array_agg(product_id order by place) as products, array_agg(sold_network order by place) as networks,
    array_agg(offer order by place) as offers, array_agg(image_hash order by place) as images, array_agg(receiver order by place) as receivers,
    array_agg(price_pesewas order by place) as prices, array_agg(retry_of order by place) as retries, array_agg(number order by place) as numbers,
    array_agg(written order by place) as written, array_agg(name order by place) as names, coalesce(sum(price_pesewas), 0)::bigint as total,
    coalesce(bool_or(refused is not null), false) as is_refused,
    (jsonb_agg(refused || jsonb_build_object('index', place - 1) order by place) filter (where refused is not null)) as refused
  into made from one;
  total := made.total;
  if made.is_refused then
    select jsonb_agg(entry order by place) into refusals
    from jsonb_array_elements(made.refused) with ordinality as listed (entry, place) where place <= most_refused;
    return jsonb_build_object('outcome', 'refused', 'code', refusals -> 0 ->> 'code', 'items', refusals, 'totalPesewas', total);
  end if;
  if total <> p_total then
    return jsonb_build_object('outcome', 'refused', 'code', 'TOTAL', 'totalPesewas', total);
  end if;
  if total + surcharge > wallet.balance_pesewas then
    return jsonb_strip_nulls(jsonb_build_object('outcome', 'refused', 'code', 'INSUFFICIENT_BALANCE', 'totalPesewas', total, 'balancePesewas', wallet.balance_pesewas,
      'dispute', (
        select jsonb_build_object('heldPesewas', sum(m.pesewas), 'paidPesewas', sum(p.received_pesewas), 'payments', count(*))
        from disputed_money m join payments p on p.reference = m.payment_reference where m.account_id = wallet.account_id and m.pesewas > 0
        having count(*) > 0)));
  end if;
  if 'WAEC Checkers' = any (made.networks) then
    short := short_of_checkers(made.products, made.offers);
    if short is not null then
      return jsonb_build_object('outcome', 'refused', 'code', 'NOT_AVAILABLE', 'totalPesewas', total, 'items', jsonb_build_array(
        jsonb_build_object('index', short - 1, 'code', 'NOT_AVAILABLE', 'offer', made.offers[short], 'network', made.networks[short], 'soldOut', true)));
    end if;
  end if;

  if p_job ? 'asks' then
    refusals := on_the_way(p_user, made.products, made.offers, made.receivers);
    if refusals is not null then
      return jsonb_build_object('outcome', 'refused', 'code', 'ON_THE_WAY', 'items', refusals);
    end if;
  end if;

  -- A schedule asked when it was made, a payment when it began; the developer API's keys are a proof of their own.
  if p_job ->> 'placedBy' = 'hand' and payment is null and not p_job ? 'topUp'
    and not take_pin_proof(p_user, decode(p_job ->> 'pinProof', 'hex'), p_now) then
    return jsonb_build_object('outcome', 'refused', 'code', 'PIN_REQUIRED');
  end if;

  if wallet.reserved_pesewas > 0 then
    perform return_set_aside(p_user, p_now);
  end if;
  prices := made.prices;
  with inserted as (
    insert into orders (id, user_id, product_id, network, offer, image_hash, level, receiver, price_pesewas, surcharge_pesewas, paid_with,
      payment_reference, top_up_reference, reference, created_at)
    select id, p_user, product, network, offer, image, buyer.level, receiver, price,
      surcharge * so_far / total - surcharge * (so_far - price) / total, case when payment is null then 'wallet' else 'card' end,
      payment, p_job ->> 'topUp', new_reference(), p_now
    from (
      select *, (sum(price) over (order by place))::bigint as so_far
      from unnest(made.ids, made.products, made.networks, made.offers, made.images, made.receivers, made.prices) with ordinality
        as line (id, product, network, offer, image, receiver, price, place)
    ) line
    order by place
    returning seq
  ), job_made as (
    insert into bulk_jobs (user_id, key, request_hash, name, placed_by, group_id, lines, left_out, total_pesewas, first_seq, last_seq, created_at)
    select p_user, p_job ->> 'key', p_request_hash, p_job ->> 'name', p_job ->> 'placedBy', (p_job ->> 'groupId')::uuid, count(*),
      jsonb_array_length(p_left_out), p_total, min(seq), max(seq), p_now
    from inserted
    returning id
  )
  select id into job from job_made;

  select array_agg('order:' || id order by place), array_agg(network || ' ' || offer || ' to ' || receiver order by place) into keys, memos
  from unnest(made.ids, made.networks, made.offers, made.receivers) with ordinality as line (id, network, offer, receiver, place);
  perform post_entries('order', p_user, wallet.account_id, 8, keys, memos, prices, p_now);
  if surcharge > 0 then
    perform post_entry('card-surcharge:' || payment, 'card-surcharge', 'Card surcharge', p_user,
      array[wallet.account_id, 2], array[-surcharge, surcharge], p_now);
  end if;

  insert into bulk_lines (job_id, line, order_id, retry_of, written, name)
  select job, number, id, retry_of, written, name
  from unnest(made.numbers, made.ids, made.retries, made.written, made.names) as line (number, id, retry_of, written, name);
  insert into bulk_lines (job_id, line, written, name, why)
  select job, (line ->> 'number')::integer, line ->> 'text', '', line ->> 'why' from jsonb_array_elements(p_left_out) line;
  if 'WAEC Checkers' = any (made.networks) then
    perform sell_checkers(made.ids, p_now);
  end if;

  update wallets set total_purchase_pesewas = total_purchase_pesewas + total where account_id = wallet.account_id
  returning balance_pesewas, total_purchase_pesewas, version into wallet.balance_pesewas, wallet.total_purchase_pesewas, wallet.version;
  return jsonb_build_object('outcome', 'placed', 'replayed', false, 'jobId', job, 'balancePesewas', wallet.balance_pesewas,
    'totalPurchasePesewas', wallet.total_purchase_pesewas, 'balanceVersion', wallet.version, 'networks', (
      select jsonb_object_agg(network, orders) from (select network, count(*) as orders from unnest(made.networks) network group by network) sold));
end $$;
