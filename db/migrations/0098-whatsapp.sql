-- Which WhatsApp number belongs to which account. Until linked_at it is a code that waits to be sent from that number.
create table whatsapp_links (
  user_id uuid primary key references users,
  phone text not null check (phone ~ '^0[0-9]{9}$'),
  linked_at timestamptz,
  code_hash bytea check (length(code_hash) = 32),
  code_until timestamptz,
  -- Wrong codes since the code was made.
  code_tries integer not null default 0 check (code_tries between 0 and 5),
  check ((code_hash is null) = (code_until is null)),
  check (linked_at is not null or code_hash is not null)
);
create unique index whatsapp_links_phone on whatsapp_links (phone) where linked_at is not null;

-- Numbers that have written to the shop. Free text reaches one for 24 hours after heard_at, by WhatsApp's clock; stopped_at: wants no news.
create table whatsapp_chats (
  phone text primary key check (phone ~ '^0[0-9]{9}$'),
  heard_at timestamptz not null,
  stopped_at timestamptz,
  -- The conversation that goes on, if there is one, and the name of the list that was sent last: a choice from one before counts no more.
  session text,
  list text
);
create index whatsapp_chats_heard on whatsapp_chats (heard_at);

-- The ids of messages that came in, so that each is answered once. Their texts, which may be PINs, are kept nowhere.
create table whatsapp_received (
  id text primary key check (length(id) between 1 and 200),
  phone text not null,
  received_at timestamptz not null
);
create index whatsapp_received_old on whatsapp_received (received_at);

-- What the shop sends.
create table whatsapp_messages (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity unique,
  kind text not null check (kind in ('reply', 'delivered', 'refunded', 'test')),
  phone text not null check (phone ~ '^0[0-9]{9}$'),
  -- Of a reply: the message that it answers. Of news: the order.
  reply_to text unique,
  order_id uuid references orders,
  body jsonb not null,
  status text not null check (status in ('waiting', 'sending', 'sent', 'failed', 'unknown', 'over-cap', 'left-out')),
  detail text not null default '',
  provider_id text unique,
  attempts integer not null default 0,
  sending_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((kind = 'reply') = (reply_to is not null)),
  check ((kind in ('delivered', 'refunded')) = (order_id is not null)),
  unique (order_id, kind)
);
create index whatsapp_messages_old on whatsapp_messages (created_at);

-- What WhatsApp says became of them. It may say so before the shop knows the id that WhatsApp gave.
create table whatsapp_statuses (
  provider_id text not null check (length(provider_id) between 1 and 200),
  status text not null check (status in ('sent', 'delivered', 'read', 'failed')),
  at timestamptz not null,
  reason text not null,
  primary key (provider_id, status)
);
create index whatsapp_statuses_old on whatsapp_statuses (at);

-- Messages of one day, against the owner's cap.
create table whatsapp_days (
  day date primary key,
  used integer not null default 0 check (used >= 0),
  warned boolean not null default false,
  full_warned boolean not null default false
);

-- How WhatsApp is used. The template is the approved message that says what became of an order once 24 hours have passed.
create table whatsapp_settings (
  id boolean primary key default true check (id),
  daily_cap integer not null default 1000 check (daily_cap between 0 and 100000),
  template text check (template ~ '^[a-z0-9_]+$' and length(template) <= 512),
  template_language text not null default 'en' check (template_language ~ '^[a-z]{2,3}(_[A-Z]{2})?$')
);
insert into whatsapp_settings default values;
