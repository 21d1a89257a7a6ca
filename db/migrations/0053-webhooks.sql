-- A test key never buys: its orders are rows of test_orders, which no money and no delivery follows.
-- `replaced_by` is the key that took over; the old one works on until its expires_at.
alter table api_keys
  add column is_test boolean not null default false,
  add column used_at timestamptz,
  add column replaced_by uuid unique references api_keys,
  add constraint api_keys_kind unique (id, is_test);

create table test_purchases (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  -- Only a test key can make one: the pair refers to the key and its kind.
  key_id uuid not null,
  is_test boolean not null default true check (is_test),
  key text not null check (length(key) between 1 and 150),
  request_hash bytea not null check (length(request_hash) = 32),
  created_at timestamptz not null,
  foreign key (key_id, is_test) references api_keys (id, is_test),
  unique (user_id, key)
);
create index test_purchases_created on test_purchases (created_at);

create table test_orders (
  seq bigint generated always as identity primary key,
  purchase_id uuid not null references test_purchases on delete cascade,
  user_id uuid not null references users,
  network text not null,
  offer text not null,
  receiver text not null,
  price_pesewas bigint not null check (price_pesewas > 0),
  status text not null default 'pending' check (status in ('pending', 'completed', 'rejected')),
  -- What becomes of it next, and when; both null once nothing more will.
  next_status text check (next_status in ('completed', 'rejected')),
  next_at timestamptz,
  created_at timestamptz not null,
  decided_at timestamptz,
  check ((next_status is null) = (next_at is null))
);
create index test_orders_user on test_orders (user_id, seq desc);
create index test_orders_purchase on test_orders (purchase_id);
create index test_orders_next on test_orders (next_at) where next_at is not null;

-- Where an agent's programs hear what became of orders. The secrets sign and are therefore kept readable, sealed where the shop has a key.
create table webhook_endpoints (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  is_test boolean not null default false,
  url text not null check (length(url) between 10 and 500),
  events text[] not null
    check (cardinality(events) > 0 and events <@ array['order.delivered', 'order.refused', 'order.refunded']),
  secret bytea not null,
  old_secret bytea,
  old_secret_until timestamptz,
  created_at timestamptz not null,
  failing_since timestamptz,
  disabled_at timestamptz,
  ended_at timestamptz,
  check ((old_secret is null) = (old_secret_until is null))
);
create index webhook_endpoints_user on webhook_endpoints (user_id, created_at desc);

-- What happened, once for each order and kind. `body` is what every endpoint is sent, written when the event is given to them.
create table api_events (
  seq bigint generated always as identity primary key,
  id uuid not null default gen_random_uuid() unique,
  user_id uuid not null references users,
  is_test boolean not null,
  type text not null check (type in ('order.delivered', 'order.refused', 'order.refunded', 'endpoint.test')),
  order_id uuid references orders,
  test_order bigint references test_orders on delete cascade,
  created_at timestamptz not null,
  body text,
  unique (order_id, type),
  unique (test_order, type),
  check ((test_order is null or is_test) and (order_id is null or not is_test))
);
create index api_events_new on api_events (seq) where body is null;
create index api_events_created on api_events (created_at);

create table webhook_deliveries (
  seq bigint generated always as identity primary key,
  id uuid not null default gen_random_uuid() unique,
  endpoint_id uuid not null references webhook_endpoints,
  event_id uuid not null references api_events (id) on delete cascade,
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- The latest attempt: the HTTP status that came back, or why none did.
  answer integer,
  problem text,
  took_ms integer,
  attempted_at timestamptz,
  next_at timestamptz,
  unique (endpoint_id, event_id)
);
create index webhook_deliveries_endpoint on webhook_deliveries (endpoint_id, seq desc);
create index webhook_deliveries_event on webhook_deliveries (event_id);
