-- How mobile-money messages read, as the owner has written it down: every version, the newest counts. Forms that came with the shop are in
-- the program (shared/message-formats.ts); a row of the same network and name takes their place, and one without words restores them.
create table message_formats (
  seq bigint generated always as identity primary key,
  network text not null check (network in ('MTN', 'Telecel', 'AirtelTigo', 'GhanaPay')),
  name text not null check (length(name) between 1 and 60),
  version integer not null check (version > 0),
  is_on boolean not null,
  kind text not null check (kind in ('credit', 'money-out', 'failed', 'airtime', 'refund', 'interest', 'other')),
  words text check (length(words) between 1 and 1000),
  senders text[] not null check (cardinality(senders) <= 5),
  samples text[] not null check (cardinality(samples) <= 10),
  changed_by uuid not null references users,
  changed_at timestamptz not null,
  -- Two people who change the same version: the second is told.
  unique (network, name, version),
  check (words is null or cardinality(samples) > 0)
);

set local lock_timeout = '3s';
create index received_payments_unread on received_payments (seq) where doubts @> array['unknown-form'];
