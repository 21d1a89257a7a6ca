-- What the shop proves about its own books while it sells, by server/ledger/invariants: one row for each check of an
-- invariant. Good ones are kept for a day, the others for three months.
create table invariant_checks (
  id bigint generated always as identity primary key,
  invariant text not null,
  -- All rows, or only those since an earlier check that found nothing.
  whole boolean not null,
  began_at timestamptz not null,
  took_ms integer not null,
  -- How many rows were looked at.
  rows bigint not null,
  -- The newest rows that it has seen: { "entries": id, "orders": seq, "actions": id }.
  reached jsonb not null,
  -- What is wrong: [{ "rule", "subject", "detail" }], the first of each rule.
  found jsonb not null default '[]',
  -- Why it could not be checked.
  problem text
);

create index invariant_checks_newest on invariant_checks (invariant, id desc);
create index invariant_checks_age on invariant_checks (began_at);

-- While one of these is not lifted, nothing is sold. A check makes it, an admin lifts it, nothing lifts it by itself.
create table purchase_pauses (
  id bigint generated always as identity primary key,
  paused_at timestamptz not null,
  -- [{ "invariant", "rule", "subject", "detail" }]: what was lifted with a pause pauses no more.
  found jsonb not null,
  lifted_at timestamptz,
  lifted_by uuid references users (id),
  lift_reason text check (length(lift_reason) between 1 and 500),
  check ((lifted_at is null) = (lifted_by is null) and (lifted_at is null) = (lift_reason is null))
);

create unique index purchase_pauses_one on purchase_pauses ((lifted_at is null)) where lifted_at is null;

-- A chain over the ledger: each seal is the hash of the one before and of the entries since, so that a change of an old
-- entry shows even where it balances. Made after the fact by the job that has just proven these entries: a chain that
-- every sale extended would make all sales wait for one another.
create table ledger_seals (
  last_entry bigint primary key,
  first_entry bigint not null unique,
  entries bigint not null check (entries > 0),
  seal bytea not null check (length(seal) = 32),
  sealed_at timestamptz not null,
  check (first_entry <= last_entry)
);

create trigger ledger_seals_append_only before update or delete on ledger_seals
  for each row execute function refuse_change();
create trigger ledger_seals_no_truncate before truncate on ledger_seals
  for each statement execute function refuse_change();

-- The number of a transaction is not in it, since a restore gives another.
create function seal_entries(p_before bytea, p_first bigint, p_last bigint, out entries bigint, out seal bytea)
language sql stable as $$
  select count(*), sha256(p_before || coalesce(string_agg(sha256(convert_to(line, 'UTF8')), ''::bytea order by id), ''::bytea))
  from (
    select e.id, row(e.id, e.key, e.kind, e.memo, e.actor_id, (extract(epoch from e.created_at) * 1000000)::bigint)::text
      || coalesce(string_agg(row(p.line, p.account_id, p.amount_pesewas, p.balance_after_pesewas)::text, '' order by p.line), '') as line
    from journal_entries e left join postings p on p.entry_id = e.id
    where e.id between p_first and p_last group by e.id
  ) lines
$$;

-- Makes the orders of one purchase and pays them from the buyer's wallet, or refuses and changes nothing but the
-- memory of the key. One call, so that a checkout is one round trip. The caller has checked the form of the input.
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
  result jsonb;
begin
  select account_id, balance_pesewas into wallet from wallets where user_id = p_user for update;

  -- Behind the wallet's lock, two requests with one key come here one after the other.
  select request_hash, outcome into known from idempotency_keys where user_id = p_user and key = p_key;
  if found then
    if known.request_hash <> p_request_hash then
      return jsonb_build_object('outcome', 'key-reused', 'replayed', false);
    end if;
    return known.outcome || '{"replayed": true}';
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

  insert into idempotency_keys (user_id, key, request_hash, outcome, created_at)
  values (p_user, p_key, p_request_hash, result, p_now);
  return result;
end $$;
