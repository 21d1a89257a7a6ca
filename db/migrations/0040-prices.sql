-- A hidden package is neither shown to customers nor sold, and keeps its prices for when it comes back.
set local lock_timeout = '3s';
alter table packages add column hidden boolean not null default false;

-- Margins below this part of the price are marked on the owner's screen.
alter table operations_settings add column margin_line_percent smallint not null default 9 check (margin_line_percent between 0 and 90);

-- Prices that go live at a time. "changes" has one line per package: { "productId", "offer", "network", and of "priceCustomerPesewas",
-- "priceAgentPesewas" and "hidden" those that change, each as { "from", "to" } }.
create table price_schedules (
  id uuid primary key default gen_random_uuid(),
  changes jsonb not null check (jsonb_typeof(changes) = 'array' and changes <> '[]'),
  live_at timestamptz not null,
  created_at timestamptz not null,
  created_by uuid not null references users (id),
  ended_at timestamptz,
  outcome text check (outcome in ('published', 'cancelled', 'refused')),
  -- The lines that did not go live, since somebody had changed those packages meanwhile.
  left_out jsonb not null default '[]',
  check ((ended_at is null) = (outcome is null))
);

create index price_schedules_waiting on price_schedules (live_at) where ended_at is null;
create index price_schedules_ended on price_schedules (ended_at desc) where ended_at is not null;

-- Every change of many prices at once. A schedule goes live at most once, and a publication is undone at most once.
create table price_publications (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity unique,
  changes jsonb not null check (jsonb_typeof(changes) = 'array' and changes <> '[]'),
  published_at timestamptz not null,
  published_by uuid not null references users (id),
  schedule_id uuid unique references price_schedules (id),
  undoes uuid unique references price_publications (id)
);
