-- Ways to buy besides the site: a USSD code and a chat. Both talk to customers in turns, and what was said last is kept here.
set local lock_timeout = '3s';

create table channel_settings (
  channel text primary key check (channel in ('ussd', 'whatsapp')),
  -- Null until the owner has chosen: then a sandbox has it on and a live shop off.
  is_on boolean,
  most_per_order_pesewas bigint not null default 20000 check (most_per_order_pesewas between 100 and 1000000),
  -- Of one customer, from midnight (UTC).
  most_per_day_pesewas bigint not null default 50000 check (most_per_day_pesewas between 100 and 10000000),
  check (most_per_order_pesewas <= most_per_day_pesewas)
);
insert into channel_settings (channel) values ('ussd'), ('whatsapp');

create table conversations (
  id uuid primary key default gen_random_uuid(),
  channel text not null references channel_settings,
  -- The gateway's name of it.
  session text not null check (length(session) between 1 and 100),
  phone text not null check (phone ~ '^[0-9]{10}$'),
  -- What each key leads to and what may be typed, and the screen that was answered last. Never what was typed.
  state jsonb,
  screen jsonb,
  -- Requests that were taken: their names or numbers, or a hash of what was chosen (never of a PIN) with the moment of the answer.
  requests text[] not null default '{}',
  answered_at timestamptz,
  -- Somebody is answering a request; until then others wait for the answer.
  busy_until timestamptz,
  busy_by uuid,
  started_at timestamptz not null,
  expires_at timestamptz not null,
  unique (channel, session)
);
create index conversations_of_phone on conversations (channel, phone, started_at desc);
create index conversations_expired on conversations (expires_at);

alter table orders add column channel text;
alter table orders add constraint orders_channel check (channel in ('ussd', 'whatsapp')) not valid;
alter table orders validate constraint orders_channel;

-- The phones from which an account's PIN was given by USSD. Only these are told the balance and what was bought without the PIN.
create table ussd_phones (
  user_id uuid primary key references users,
  phone text not null check (phone ~ '^[0-9]{10}$'),
  confirmed_at timestamptz not null
);

-- How the USSD gateway reaches the shop. Gateways sign nothing, so that the address holds a secret.
create table ussd_settings (
  singleton boolean primary key default true check (singleton),
  gateway text not null default 'arkesel' check (gateway in ('arkesel', 'nalo', 'hubtel')),
  -- SHA-256; null until the owner has made an address.
  secret_hash bytea check (length(secret_hash) = 32),
  -- Where calls may come from; none for anywhere.
  addresses text[] not null default '{}' check (cardinality(addresses) <= 50),
  -- Of one screen, in the GSM alphabet.
  most_characters smallint not null default 160 check (most_characters between 100 and 182),
  -- The last call that was taken, and what was wrong with the last that was not.
  seen_at timestamptz,
  problem text,
  problem_at timestamptz
);
insert into ussd_settings default values;
