-- Lists of many orders that an agent pays for at once, and what became of each line.
create table bulk_jobs (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity unique,
  user_id uuid not null references users,
  -- The idempotency key of the purchase, and what it was used for: the same key never buys twice, however late.
  key text not null check (length(key) between 1 and 200),
  request_hash bytea not null check (length(request_hash) = 32),
  name text not null check (name = btrim(name) and length(name) between 1 and 60),
  placed_by text not null check (placed_by in ('hand', 'schedule', 'api')),
  group_id uuid,
  lines integer not null check (lines > 0),
  left_out integer not null check (left_out >= 0),
  total_pesewas bigint not null check (total_pesewas > 0),
  -- The orders are those of the user between these two: one purchase holds the wallet's lock while it makes them.
  first_seq bigint not null,
  last_seq bigint not null check (last_seq >= first_seq),
  created_at timestamptz not null,
  unique (user_id, key)
);
create index bulk_jobs_user on bulk_jobs (user_id, seq desc);

create table bulk_lines (
  job_id uuid not null references bulk_jobs,
  line integer not null check (line > 0),
  -- None where the line was left out.
  order_id uuid unique references orders,
  -- The refunded order that this line buys once more.
  retry_of uuid unique references orders,
  written text not null check (length(written) <= 200),
  name text not null check (length(name) <= 100),
  why text not null default '' check (length(why) <= 200),
  primary key (job_id, line),
  check (retry_of is null or order_id is not null)
);
