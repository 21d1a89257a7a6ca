-- Result checkers (a serial and a PIN) that the shop has in stock and hands over as they are paid for.
set local lock_timeout = '3s';

insert into accounts (id, code) values (21, 'checker-stock'), (22, 'checker-losses') on conflict (id) do nothing;

-- Whatever kinds there are by now stay, whichever migrations have run.
do $$
declare
  kinds text := (select pg_get_constraintdef(oid) from pg_constraint where conname = 'journal_entries_kind_check');
begin
  alter table journal_entries drop constraint journal_entries_kind_check;
  execute 'alter table journal_entries add constraint journal_entries_kind_check '
    || replace(kinds, '''provider-fee''::text',
      '''provider-fee''::text, ''checker-import''::text, ''checker-return''::text, ''checker-loss''::text');
end $$;

-- What the codes are for, and where they are used. "told_at": the owner was told that few are left, until there are enough again.
create table checker_kinds (
  kind text primary key check (kind ~ '^[a-z0-9][a-z0-9-]{1,29}$'),
  name text not null check (name = btrim(name) and length(name) between 2 and 30),
  portal text not null check (portal ~ '^https://[a-z0-9.-]+(/[^ ]*)?$' and length(portal) <= 100),
  low_stock integer not null default 20 check (low_stock between 0 and 100000),
  told_at timestamptz
);
insert into checker_kinds (kind, name, portal) values
  ('bece', 'BECE', 'https://eresults.waecgh.org'),
  ('wassce', 'WASSCE', 'https://eresults.waecgh.org'),
  ('novdec', 'NOVDEC', 'https://eresults.waecgh.org'),
  ('placement', 'School placement', 'https://cssps.gov.gh');

-- Packages that are sold from the stock: one that is not here is sent by hand, as before. By its name, since a change of the product writes its
-- packages anew.
create table checker_packages (
  product_id uuid not null references products on delete cascade,
  offer text not null,
  kind text not null references checker_kinds,
  units smallint not null default 1 check (units between 1 and 10),
  primary key (product_id, offer)
);

-- The key of the codes' fingerprints, encrypted like them, so that it stays the same when the shop's key changes.
create table checker_vault (
  singleton boolean primary key default true check (singleton),
  sealed_key bytea not null
);

create table checker_imports (
  id uuid primary key default gen_random_uuid(),
  seq bigint not null generated always as identity unique,
  kind text not null references checker_kinds,
  distributor text not null check (distributor = btrim(distributor) and length(distributor) between 2 and 60),
  file_name text not null default '' check (length(file_name) <= 120),
  unit_cost_pesewas bigint not null check (unit_cost_pesewas between 1 and 10000000),
  codes integer not null check (codes between 1 and 10000),
  imported_by uuid references users,
  imported_at timestamptz not null,
  taken_back_at timestamptz,
  taken_back_by uuid references users
);

-- Codes are sold in the order of their ids. "sealed" holds serial and PIN, encrypted; "tail" is the end of the serial, which staff may see.
create table checker_codes (
  id bigint not null generated always as identity primary key,
  import_id uuid not null references checker_imports,
  kind text not null references checker_kinds,
  serial_hash bytea not null,
  -- Null of a PIN that is too short to be unlike all others.
  pin_hash bytea,
  sealed bytea not null,
  tail text not null check (length(tail) between 1 and 4),
  unit_cost_pesewas bigint not null check (unit_cost_pesewas > 0),
  taken_back_at timestamptz,
  order_id uuid references orders,
  n smallint check (n between 1 and 100),
  sold_at timestamptz,
  voided_at timestamptz,
  voided_by uuid references users,
  void_reason text check (length(void_reason) between 3 and 300),
  -- The faulty code in whose place its buyer got this one.
  replaces_id bigint unique references checker_codes,
  check ((order_id is null) = (sold_at is null) and (order_id is null) = (n is null)),
  check ((voided_at is null) = (void_reason is null) and (voided_at is null or order_id is not null)),
  check (taken_back_at is null or order_id is null),
  check (replaces_id is null or order_id is not null),
  unique (order_id, n)
);
create unique index checker_codes_serial on checker_codes (kind, serial_hash) where taken_back_at is null;
create unique index checker_codes_pin on checker_codes (kind, pin_hash) where taken_back_at is null;
create index checker_codes_stock on checker_codes (kind, id) where order_id is null and voided_at is null and taken_back_at is null;
create index checker_codes_of_import on checker_codes (import_id);

-- Messages with a code: it is filled in as they are sent, and not stored. One for each code and each time that somebody asked.
alter table sms_messages add column checker_code_id bigint references checker_codes, add column asked_at timestamptz;
do $$
declare
  kinds text := (select pg_get_constraintdef(oid) from pg_constraint where conname = 'sms_messages_kind_check');
  without_order text := (select pg_get_constraintdef(oid) from pg_constraint where conname = 'sms_messages_check');
begin
  alter table sms_messages drop constraint sms_messages_kind_check, drop constraint sms_messages_check;
  execute 'alter table sms_messages add constraint sms_messages_kind_check ' || replace(kinds, '''digest''::text', '''digest''::text, ''checker''::text');
  execute 'alter table sms_messages add constraint sms_messages_check ' || replace(without_order, '''digest''::text', '''digest''::text, ''checker''::text');
end $$;
alter table sms_messages add constraint sms_messages_of_checker
  check ((checker_code_id is not null) = (kind = 'checker') and (checker_code_id is null) = (asked_at is null));
create unique index sms_messages_checker on sms_messages (checker_code_id, asked_at) where checker_code_id is not null;
