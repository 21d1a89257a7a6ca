-- Double entry in whole pesewas. An account's balance is the sum of its postings; a positive posting to a wallet
-- is money that the shop owes its owner. Ids below 1000 are the house's accounts, named in server/ledger/accounts.ts.
create table accounts (
  id bigint primary key,
  code text not null unique
);

create sequence wallet_account_ids start 1000;

insert into accounts (id, code) values
  (1, 'sales'),
  (2, 'card-surcharges'),
  (3, 'agent-upgrade-fees'),
  (4, 'mobile-money-received'),
  (5, 'card-payments-received'),
  (6, 'adjustments'),
  (7, 'payments-held');

-- Running balances are kept for wallets only: a house account that every sale updated would be a hot row.
create table wallets (
  account_id bigint primary key references accounts (id),
  user_id uuid not null unique references users (id),
  balance_pesewas bigint not null default 0 constraint wallet_not_below_zero check (balance_pesewas >= 0),
  total_purchase_pesewas bigint not null default 0 check (total_purchase_pesewas >= 0),
  version bigint not null default 0
) with (fillfactor = 70);

create table journal_entries (
  id bigint generated always as identity primary key,
  key text not null unique check (length(key) between 3 and 200),
  kind text not null check (kind in (
    'order', 'order-refund', 'admin-credit', 'admin-debit', 'recharge', 'card-payment', 'card-surcharge', 'agent-upgrade'
  )),
  memo text not null default '',
  actor_id uuid references users (id),
  -- The transaction that wrote the entry: postings may only be added by the same one.
  xact xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null
);

create table postings (
  entry_id bigint not null references journal_entries (id),
  line smallint not null check (line > 0),
  account_id bigint not null references accounts (id),
  amount_pesewas bigint not null check (amount_pesewas <> 0),
  -- For a wallet: its balance after this posting. Null for a house account.
  balance_after_pesewas bigint check (balance_after_pesewas >= 0),
  primary key (entry_id, line),
  check ((account_id >= 1000) = (balance_after_pesewas is not null))
);

create index postings_account on postings (account_id, entry_id);

-- The house accounts' balances, kept without a hot row: each entry adds a line to account_deltas, which a job now and
-- then folds into account_totals. A balance is the sum of both, read in one statement.
create table account_totals (
  account_id bigint primary key references accounts (id),
  pesewas bigint not null
);

create table account_deltas (
  account_id bigint not null,
  pesewas bigint not null
);
