-- Every new order leaves a row here in the transaction that makes it; a relay takes the rows and adds the jobs that the
-- order needs, in one transaction. No index: the table is nearly always empty, and a checkout pays for each one.
create table order_outbox (
  order_id uuid not null
);

-- One row: how the shop works with the world outside, as the admin set it.
create table operations_settings (
  singleton boolean primary key default true check (singleton),
  -- Network to supplier; a network that is not named is processed by hand.
  supplier_routes jsonb not null default '{"AirtelTigo": "hubnet"}' check (jsonb_typeof(supplier_routes) = 'object'),
  complete_delivered boolean not null default false,
  reject_refused boolean not null default false,
  operator_sms boolean not null default true,
  -- Null: the shop's own number.
  operator_phone text check (operator_phone ~ '^[0-9]{10}$'),
  buyer_sms boolean not null default false,
  sms_daily_cap integer not null default 500 check (sms_daily_cap between 0 and 100000),
  sms_digest_above integer not null default 5 check (sms_digest_above between 1 and 1000),
  updated_at timestamptz not null default now()
);

insert into operations_settings default values;

-- What the data supplier does for an order: one row for each order that is routed to a supplier, and no second one.
create table supplier_deliveries (
  order_id uuid primary key references orders (id),
  -- The order's own reference, under which alone the supplier is ever asked to deliver it.
  reference text not null unique check (reference ~ '^[A-Za-z0-9]{6,25}$'),
  supplier text not null,
  volume_mb integer not null check (volume_mb > 0),
  -- waiting: not sent. sending: noted before the call, so that after a crash in it the outcome counts as unknown.
  -- accepted: the supplier has it. unknown: it may have it, and is asked. rejected: it refused. delivered, failed: what
  -- became of it there. cancelled: decided by hand before it was sent.
  status text not null default 'waiting'
    check (status in ('waiting', 'sending', 'accepted', 'unknown', 'rejected', 'delivered', 'failed', 'cancelled')),
  -- What the supplier said, or why it waits.
  detail text not null default '',
  supplier_reference text,
  -- How often it was sent, how often of these although the supplier might have had it, and how often it was asked about.
  attempts integer not null default 0,
  resent integer not null default 0 check (resent <= 2),
  asked integer not null default 0,
  -- How often in a row the supplier said that it does not know the reference, and when it last did.
  not_found integer not null default 0,
  not_found_at timestamptz,
  -- By the database's own clock, as everything that paces the calls.
  sent_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index supplier_deliveries_open on supplier_deliveries (updated_at) where status in ('waiting', 'sending', 'accepted', 'unknown');

-- When the last calls to an endpoint of a supplier began, so that all processes together keep to its limit, and until
-- when turns are promised to those that wait, in each of two lanes.
create table supplier_calls (
  supplier text not null,
  endpoint text not null,
  recent timestamptz[] not null default '{}',
  promised_at timestamptz not null default '-infinity',
  urgent_promised_at timestamptz not null default '-infinity',
  primary key (supplier, endpoint)
);

-- Whether a supplier is used at the moment: after failures in a row, or when it has no money of ours, it rests.
create table supplier_health (
  supplier text primary key,
  failures integer not null default 0,
  pauses integer not null default 0,
  paused_until timestamptz not null default '-infinity',
  reason text not null default '',
  balance_pesewas bigint,
  balance_at timestamptz
);

-- The secret part of the address that a supplier's notices come to: 244 random bits of this database's own.
create table supplier_webhook (
  singleton boolean primary key default true check (singleton),
  secret text not null default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
);

insert into supplier_webhook default values;

-- Messages to phones. For each order at most one of a kind; a digest stands for several orders' messages.
create table sms_messages (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('order', 'completed', 'digest')),
  order_id uuid references orders (id),
  receiver text not null check (receiver ~ '^0[25][0-9]{8}$'),
  body text not null check (length(body) between 1 and 160),
  -- unknown: it may have been sent, so it is not sent again. for-digest, in-digest: a digest says it. over-cap: the
  -- day's messages were used up.
  status text not null default 'waiting'
    check (status in ('waiting', 'sending', 'sent', 'failed', 'unknown', 'for-digest', 'in-digest', 'over-cap')),
  digest_id uuid references sms_messages (id),
  attempts integer not null default 0,
  detail text not null default '',
  provider_id text,
  sending_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((kind = 'digest') = (order_id is null)),
  check ((status = 'in-digest') = (digest_id is not null))
);

create unique index sms_messages_once on sms_messages (kind, order_id) where order_id is not null;
create index sms_messages_recent on sms_messages (created_at) where kind = 'order';
create index sms_messages_for_digest on sms_messages (created_at) where status = 'for-digest';

-- How many messages a day has used, counted before each is sent.
create table sms_days (
  day date primary key,
  used integer not null default 0,
  warned boolean not null default false,
  full_warned boolean not null default false
);
