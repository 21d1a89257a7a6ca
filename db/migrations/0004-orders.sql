create table orders (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity (start with 10001) unique,
  -- The id that the buyer's browser gave it in POST /order/create; null for a cart, whose orders go by seq.
  client_id text,
  user_id uuid not null references users (id),
  -- What was bought, as it stood then. No foreign keys: a product may go, its orders stay.
  product_id uuid not null,
  network text not null,
  offer text not null,
  image_hash text not null,
  level text not null check (level in ('Customer', 'Agent', 'Admin')),
  receiver text not null check (receiver ~ '^[0-9]{10}$'),
  price_pesewas bigint not null check (price_pesewas > 0),
  surcharge_pesewas bigint not null default 0 check (surcharge_pesewas >= 0),
  paid_with text not null check (paid_with in ('wallet', 'card')),
  payment_reference text,
  reference text not null unique check (reference ~ '^[A-Za-z0-9]{16,24}$'),
  status text not null default 'pending' check (status in ('pending', 'completed', 'rejected')),
  created_at timestamptz not null,
  decided_at timestamptz,
  decided_by uuid references users (id),
  check ((status = 'pending') = (decided_at is null)),
  check ((paid_with = 'card') = (payment_reference is not null))
) with (fillfactor = 85);

create unique index orders_client_id on orders (user_id, client_id) where client_id is not null;
create index orders_user on orders (user_id, seq desc);
-- Serves any filter by network, status or both: the lists merge the few ranges that a filter names.
create index orders_filter on orders (network, status, seq);
create index orders_payment on orders (payment_reference) where payment_reference is not null;

create function refuse_second_decision() returns trigger language plpgsql as $$
begin
  if old.status <> 'pending' and new.status is distinct from old.status then
    raise exception 'order % was decided already', old.id using errcode = 'DW005';
  end if;
  if (new.user_id, new.price_pesewas, new.surcharge_pesewas, new.reference, new.receiver, new.offer, new.network)
    is distinct from (old.user_id, old.price_pesewas, old.surcharge_pesewas, old.reference, old.receiver, old.offer, old.network) then
    raise exception 'what was bought in order % cannot be changed', old.id using errcode = 'DW005';
  end if;
  return new;
end $$;

create trigger orders_decided_once before update on orders
  for each row execute function refuse_second_decision();

-- How many orders there are and their worth, by day, network and status, kept without a hot row: each change adds lines
-- to order_deltas, which a job now and then folds into order_totals. The day 'infinity' stands for all days. A block is
-- ten thousand consecutive orders: a list that is asked for a deep page skips whole blocks.
create table order_totals (
  day date not null,
  block integer not null,
  network text not null,
  status text not null,
  orders bigint not null,
  pesewas bigint not null,
  primary key (day, block, network, status)
);

create table order_deltas (
  day date not null,
  block integer not null,
  network text not null,
  status text not null,
  orders integer not null,
  pesewas bigint not null
);

create function count_order() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into order_deltas (day, block, network, status, orders, pesewas)
    values ((old.created_at at time zone 'UTC')::date, old.seq / 10000, old.network, old.status, -1, -old.price_pesewas);
  end if;
  insert into order_deltas (day, block, network, status, orders, pesewas)
  values ((new.created_at at time zone 'UTC')::date, new.seq / 10000, new.network, new.status, 1, new.price_pesewas);
  return null;
end $$;

create trigger orders_counted after insert on orders for each row execute function count_order();
create trigger orders_recounted after update of status on orders for each row
  when (old.status is distinct from new.status) execute function count_order();

create function fold_order_deltas() returns void language sql as $$
  with folded as (delete from order_deltas returning *),
  days as (
    select day, block, network, status, orders, pesewas from folded
    union all select 'infinity', -1, network, status, orders, pesewas from folded
  )
  insert into order_totals as kept (day, block, network, status, orders, pesewas)
  select day, block, network, status, sum(orders), sum(pesewas) from days group by day, block, network, status
  on conflict (day, block, network, status) do update set orders = kept.orders + excluded.orders, pesewas = kept.pesewas + excluded.pesewas
$$;

create view order_counts as
  select day, block, network, status, orders, pesewas from order_totals
  union all select day, block, network, status, orders, pesewas from order_deltas
  union all select 'infinity', -1, network, status, orders, pesewas from order_deltas;

-- What became of an intention to buy, under the key that its browser gave it: asked again, it is told again.
create table idempotency_keys (
  user_id uuid not null references users (id),
  key text not null check (length(key) between 1 and 200),
  request_hash bytea not null,
  outcome jsonb not null,
  created_at timestamptz not null,
  primary key (user_id, key)
);

create index idempotency_keys_age on idempotency_keys (created_at);

-- A reference of 20 letters and digits from a cryptographic source: 119 bits.
create function new_reference() returns text language plpgsql volatile as $$
declare
  alphabet constant text := 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  random_bytes bytea;
  result text := '';
  octet integer;
begin
  while length(result) < 20 loop
    random_bytes := uuid_send(gen_random_uuid());
    for i in 0 .. 15 loop
      -- Octets 6 and 8 of a version 4 UUID carry its version and variant.
      continue when i = 6 or i = 8;
      octet := get_byte(random_bytes, i);
      -- 248 is the largest multiple of 62 below 256: the rest would make some letters likelier.
      if octet < 248 and length(result) < 20 then
        result := result || substr(alphabet, octet % 62 + 1, 1);
      end if;
    end loop;
  end loop;
  return result;
end $$;

-- Makes the orders of one purchase and pays them from the buyer's wallet, or refuses and changes nothing but the
-- memory of the key. One call, so that a checkout is one round trip. The caller has checked the form of the input.
-- For a card payment, whose money the caller has put into the wallet in the same transaction, p_payment is its
-- reference and p_surcharge what was paid on top, which is shared out over the orders to the pesewa.
--   p_items: [{ "product": uuid or null, "network": text, "offer": text, "receiver": text, "seen": pesewas, "clientId": text or null }]
-- Replies { "outcome": "placed" | "refused" | "key-reused", "replayed": boolean, ... }.
create function place_wallet_orders(
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
