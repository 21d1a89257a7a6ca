-- "I haven't received it": what a customer reports about an order, what the shop replies, and how it ends.
create table reports (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity unique,
  order_id uuid not null references orders,
  status text not null default 'open' check (status in ('open', 'delivered', 'resent', 'refunded')),
  opened_at timestamptz not null,
  ended_at timestamptz,
  -- Null for an end that followed from the supplier's answer.
  ended_by uuid references users,
  -- The reference under which a supplier is asked to deliver again; null where a person sends it.
  resend_reference text unique check (resend_reference ~ '^[A-Za-z0-9]{6,25}$'),
  check ((status = 'open') = (ended_at is null)),
  check (resend_reference is null or status = 'resent')
);

create unique index reports_one_open on reports (order_id) where status = 'open';
create unique index reports_one_resend on reports (order_id) where status = 'resent';
create unique index reports_one_refund on reports (order_id) where status = 'refunded';
create index reports_of_order on reports (order_id, seq);

create table report_messages (
  id bigint generated always as identity primary key,
  report_id uuid not null references reports,
  user_id uuid not null references users,
  from_shop boolean not null,
  body text not null check (body = btrim(body) and length(body) between 1 and 500),
  created_at timestamptz not null
);

create index report_messages_of_report on report_messages (report_id, id);
