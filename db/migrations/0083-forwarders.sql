-- The shop's own phones that send their mobile-money messages on. The key signs and is therefore kept readable, sealed where
-- the shop has a key of its own. After a rotation the old one works until old_key_until.
create table forwarders (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(name) between 1 and 40),
  app text not null check (app in ('sms-gateway', 'sms-to-url', 'sms-forwarder', 'other')),
  networks text[] not null check (cardinality(networks) > 0 and networks <@ array['MTN', 'Telecel', 'AirtelTigo', 'GhanaPay']),
  phone text check (phone ~ '^[0-9]{10}$'),
  key bytea not null,
  old_key bytea,
  old_key_until timestamptz,
  created_by uuid not null references users,
  created_at timestamptz not null,
  -- The last call with the right key, the last mobile-money message, and what is wrong with what it sends.
  seen_at timestamptz,
  message_at timestamptz,
  problem text,
  battery_percent integer check (battery_percent between 0 and 100),
  -- Since when it has been silent, once the owner was told.
  silent_since timestamptz,
  ended_at timestamptz,
  check ((old_key is null) = (old_key_until is null))
);

-- What each phone's messages came to. The text is kept only with a payment; what is not about mobile money is not here at all.
create table forwarded_messages (
  seq bigint generated always as identity primary key,
  forwarder_id uuid not null references forwarders,
  -- The hash of the app's own id, or of the message where it gives none: the same message sent again is counted once.
  key_hash bytea not null check (length(key_hash) = 32),
  received_at timestamptz not null,
  outcome text not null check (outcome in ('payment', 'known', 'not-counted', 'fake')),
  network text not null,
  amount_pesewas bigint,
  transaction_id text,
  says text not null,
  unique (forwarder_id, key_hash)
);
create index forwarded_messages_newest on forwarded_messages (forwarder_id, seq desc);
create index forwarded_messages_old on forwarded_messages (received_at);

-- The balance of each network's wallet on a phone, as far as it is proven: null until the owner has confirmed it once.
create table momo_wallets (
  forwarder_id uuid not null references forwarders,
  network text not null,
  balance_pesewas bigint check (balance_pesewas >= 0),
  confirmed_at timestamptz,
  confirmed_by uuid references users,
  primary key (forwarder_id, network),
  check ((confirmed_at is null) = (balance_pesewas is null))
);

-- One change of such a balance, as a message says it. It is proven once it begins where the proven balance ends.
create table wallet_movements (
  seq bigint generated always as identity primary key,
  forwarder_id uuid not null,
  network text not null,
  text_hash bytea not null check (length(text_hash) = 32),
  opening_pesewas bigint not null,
  closing_pesewas bigint not null check (closing_pesewas >= 0),
  payment_id uuid references received_payments,
  -- Of money that came in: what the message says of it, for when it is proven.
  facts jsonb,
  read_at timestamptz not null,
  proven_at timestamptz,
  -- The owner confirmed a balance that it does not lead to: it proves nothing any more.
  left_out_at timestamptz,
  foreign key (forwarder_id, network) references momo_wallets,
  unique (forwarder_id, network, text_hash),
  check (proven_at is null or left_out_at is null)
);
create index wallet_movements_waiting on wallet_movements (forwarder_id, network, seq) where proven_at is null and left_out_at is null;
create index wallet_movements_openings on wallet_movements (forwarder_id, network, opening_pesewas);
create index wallet_movements_payment on wallet_movements (payment_id);

-- What is credited without a person, in pesewas: the most for one payment, and for all of a day; the most for one that came from an
-- app that cannot sign; and the most for one that its payer only claims by its id. 0 for nothing.
create table credit_rules (
  id boolean primary key default true check (id),
  most_pesewas bigint not null default 50000 check (most_pesewas >= 0),
  daily_pesewas bigint not null default 500000 check (daily_pesewas >= 0),
  unsigned_pesewas bigint not null default 20000 check (unsigned_pesewas >= 0),
  claim_pesewas bigint not null default 0 check (claim_pesewas >= 0),
  -- After so many minutes of the shop's work hours without a word from a phone the owner is told; 0 for never.
  silent_minutes integer not null default 120 check (silent_minutes >= 0)
);
insert into credit_rules default values;

set local lock_timeout = '3s';
alter table received_payments add column forwarder_id uuid references forwarders;
alter table received_payments drop constraint received_payments_source_check;
alter table received_payments add constraint received_payments_source_check check (source in ('message', 'statement', 'phone')) not valid;
alter table received_payments validate constraint received_payments_source_check;
create index received_payments_to_credit on received_payments (seq) where status = 'waiting' and doubts = '{}' and forwarder_id is not null;
create index received_payments_forked on received_payments (seq) where status = 'credited' and doubts @> array['fork'];

-- What the shop credits by itself has nobody who did it.
alter table payment_credits add column automatic boolean not null default false;
alter table payment_credits alter column credited_by drop not null;
alter table payment_credits add constraint payment_credits_by check (automatic = (credited_by is null)) not valid;
alter table payment_credits validate constraint payment_credits_by;
create index payment_credits_automatic on payment_credits (credited_at) where automatic;
