-- Agents withdraw what their shops earned, to mobile money. Each withdrawal has one reference for good, under which the provider is asked.
set local lock_timeout = '3s';

insert into accounts (id, code) values (13, 'withdrawals-pending'), (14, 'withdrawal-fees'), (16, 'refund-codes') on conflict (id) do nothing;

-- Whatever kinds there are by now stay, whichever migrations have run.
do $$
declare
  kinds text := (select pg_get_constraintdef(oid) from pg_constraint where conname = 'journal_entries_kind_check');
begin
  alter table journal_entries drop constraint journal_entries_kind_check;
  execute 'alter table journal_entries add constraint journal_entries_kind_check '
    || replace(kinds, '''provider-fee''::text', '''provider-fee''::text, ''withdrawal''::text, ''withdrawal-paid''::text, ''withdrawal-returned''::text');
end $$;

create table withdrawal_rules (
  singleton boolean primary key default true check (singleton),
  enabled boolean not null default true,
  minimum_pesewas bigint not null default 2000 check (minimum_pesewas between 100 and 1000000),
  fee_pesewas bigint not null default 100 check (fee_pesewas between 0 and 10000),
  -- What an agent may send to known numbers within a day without approval.
  unapproved_pesewas bigint not null default 20000 check (unapproved_pesewas between 0 and 10000000),
  -- How many nights profit rests before it can be withdrawn.
  hold_nights integer not null default 1 check (hold_nights between 0 and 14),
  -- Everything is paid from a phone, nothing by the provider.
  by_hand boolean not null default false
);
insert into withdrawal_rules default values;

create table withdrawals (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity unique,
  shop_id uuid not null references agent_shops,
  requested_by uuid not null references users,
  key text not null check (length(key) between 1 and 100),
  -- Lower case, as the provider wants it.
  reference text not null unique check (reference ~ '^[a-z0-9]{20,40}$'),
  amount_pesewas bigint not null check (amount_pesewas > 0),
  fee_pesewas bigint not null,
  network text not null check (network in ('MTN', 'Telecel', 'AirtelTigo')),
  phone text not null check (phone ~ '^[0-9]{10}$'),
  name text not null check (length(name) between 2 and 60),
  new_number boolean not null,
  status text not null check (status in (
    'approval', 'ready', 'sending', 'accepted', 'unknown', 'paid', 'failed', 'declined', 'cancelled', 'reversed'
  )),
  -- It went out without anybody's approval.
  unapproved boolean not null,
  -- For the agent: why it waits or was not paid.
  reason text,
  -- What the provider said last, for staff.
  provider_note text,
  recipient_code text,
  -- The call may have been made.
  sent_at timestamptz,
  asks integer not null default 0,
  ask_at timestamptz,
  -- How often in a row the provider did not know it, and since when.
  not_found integer not null default 0,
  not_found_at timestamptz,
  -- The network's transaction id where it was paid from a phone.
  hand_transaction_id text check (hand_transaction_id is null or status = 'paid'),
  -- The provider paid it after its money had gone back.
  paid_late_at timestamptz,
  decided_by uuid references users,
  decided_at timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  unique (shop_id, key),
  check (fee_pesewas >= 0 and fee_pesewas < amount_pesewas),
  check ((ended_at is null) = (status in ('approval', 'ready', 'sending', 'accepted', 'unknown')))
);
create index withdrawals_open on withdrawals (seq) where ended_at is null;
create index withdrawals_due on withdrawals (ask_at) where ask_at is not null;
create index withdrawals_of_shop on withdrawals (shop_id, seq desc);
create unique index withdrawals_paid_by_hand on withdrawals (network, hand_transaction_id) where hand_transaction_id is not null;
