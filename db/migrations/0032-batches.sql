-- A batch: pending orders of one network that one person has taken to the supplier's portal. They are locked until the batch
-- ends for them, so that nobody else decides, sends or batches them meanwhile.
create table batches (
  id uuid primary key default gen_random_uuid(),
  -- What people call it: "Batch 14".
  number integer generated always as identity unique,
  network text not null,
  -- Chosen by the browser: the same press makes one batch.
  key text not null,
  made_by uuid not null references users,
  made_at timestamptz not null,
  -- When its list was last downloaded or copied.
  exported_at timestamptz,
  unique (made_by, key)
);

create table batch_orders (
  batch_id uuid not null references batches,
  order_id uuid not null references orders,
  status text not null default 'locked' check (status in ('locked', 'completed', 'rejected', 'released')),
  ended_at timestamptz,
  ended_by uuid references users,
  primary key (batch_id, order_id),
  check ((status = 'locked') = (ended_at is null))
);

-- An order is in one batch at a time.
create unique index batch_orders_locked on batch_orders (order_id) where status = 'locked';
-- The batches that still hold orders.
create index batch_orders_open on batch_orders (batch_id) where status = 'locked';

-- The file that a network's portal accepts, as somebody last chose it.
create table batch_formats (
  network text primary key,
  file text not null check (file in ('xlsx', 'csv')),
  -- In the order of the file's columns.
  columns text[] not null check (columns <@ array['number', 'gb', 'mb', 'offer', 'reference'] and cardinality(columns) between 1 and 5),
  with_header boolean not null,
  -- 'local': 0241234567; 'international': 233241234567; 'plus': +233241234567.
  number_format text not null check (number_format in ('local', 'international', 'plus')),
  updated_at timestamptz not null,
  updated_by uuid references users
);
