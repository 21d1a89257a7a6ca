-- Mobile money that came in, as the network's message or statement says it. Each transaction counts once, forever.
create table received_payments (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity unique,
  network text not null check (network in ('MTN', 'Telecel', 'AirtelTigo', 'GhanaPay', 'Other')),
  transaction_id text not null check (transaction_id ~ '^[A-Za-z0-9.-]{4,40}$'),
  amount_pesewas bigint not null check (amount_pesewas > 0),
  payer_name text,
  by_agent boolean not null default false,
  payer_phone text check (payer_phone ~ '^[0-9]{10}$'),
  typed_phone text check (typed_phone ~ '^[0-9]{10}$'),
  reference text,
  -- When the network says that the money came in; null where the message does not say.
  sent_at timestamptz,
  balance_pesewas bigint,
  -- Why it is not approved together with others.
  doubts text[] not null default '{}',
  raw text not null check (length(raw) <= 4000),
  source text not null check (source in ('message', 'statement')),
  received_by uuid not null references users,
  received_at timestamptz not null,
  status text not null default 'waiting' check (status in ('waiting', 'credited', 'dismissed')),
  -- Put aside until somebody asks for it.
  kept_at timestamptz,
  -- Requests that a person said it is not for.
  not_for uuid[] not null default '{}',
  unique (network, transaction_id),
  -- Lets a credit prove that it is of this amount.
  unique (id, amount_pesewas)
);

create index received_payments_waiting on received_payments (seq) where status = 'waiting';
create index received_payments_of_transaction on received_payments (transaction_id);
create index received_payments_balances on received_payments (network, seq desc) where balance_pesewas is not null;
create index received_payments_questioned on received_payments (seq) where status = 'credited' and doubts @> array['reversal'];
create index received_payments_words on received_payments using gin (
  (transaction_id || ' ' || coalesce(payer_name, '') || ' ' || coalesce(payer_phone, '') || ' ' || coalesce(reference, '') || ' '
    || shown_amount(amount_pesewas)) gin_trgm_ops
);
insert into list_counts (list, status) values ('received_payments', '');

create index received_payments_payers on received_payments (network, lower(payer_name)) where status = 'credited' and payer_name is not null;

-- Who got a received payment. The amount is the payment's, no other; a wrong credit is taken back by a debit and stays here.
create table payment_credits (
  id bigint generated always as identity primary key,
  payment_id uuid not null,
  amount_pesewas bigint not null,
  user_id uuid not null references users,
  -- The request that asked for it; null for a payment without one.
  recharge_id uuid unique references recharges,
  -- The entry that moved the money. A request that was approved by hand before its message was read has its own.
  entry_key text not null unique,
  credited_at timestamptz not null,
  credited_by uuid not null references users,
  taken_back_at timestamptz,
  taken_back_by uuid references users,
  foreign key (payment_id, amount_pesewas) references received_payments (id, amount_pesewas),
  check ((taken_back_at is null) = (taken_back_by is null))
);

create unique index payment_credits_once on payment_credits (payment_id) where taken_back_at is null;
create index payment_credits_of_user on payment_credits (user_id, id desc);

set local lock_timeout = '3s';

-- What was credited for a request, where it is not what was asked for; null in what an older version approved.
alter table recharges add column credited_pesewas bigint;
alter table recharges add constraint recharges_credited check (credited_pesewas is null or (status = 'approved' and credited_pesewas > 0)) not valid;
-- Sales go on while the rows there are looked at.
alter table recharges validate constraint recharges_credited;
alter table recharges add column reopened_at timestamptz;
