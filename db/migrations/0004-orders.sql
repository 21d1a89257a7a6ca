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
