-- What is to be paid by card and what for, noted before the card provider is asked for anything.
create table payments (
  reference text primary key check (reference ~ '^[A-Za-z0-9]{16,24}$'),
  seq bigint generated always as identity unique,
  user_id uuid not null references users (id),
  purpose text not null check (purpose in ('order', 'agent-upgrade')),
  -- The lines of the cart as they were priced; null for an upgrade.
  lines jsonb,
  price_pesewas bigint not null check (price_pesewas > 0),
  surcharge_pesewas bigint not null check (surcharge_pesewas >= 0),
  access_code text,
  -- open: not known to be paid. paid: what it was for exists. held: money came that could not buy it; it went to
  -- the wallet, or (no wallet_credit) waits for the operator. failed, expired: no money came.
  status text not null default 'open' check (status in ('open', 'paid', 'held', 'failed', 'expired')),
  reason text,
  -- What the card provider says was paid, once it says so, and whether it was put into the wallet.
  received_pesewas bigint check (received_pesewas >= 0),
  in_wallet boolean not null default false,
  created_at timestamptz not null,
  settled_at timestamptz,
  -- The next time to ask the card provider about it, while it is open.
  check_at timestamptz,
  checks integer not null default 0,
  check ((purpose = 'order') = (lines is not null)),
  check ((status in ('paid', 'held')) = (settled_at is not null)),
  check ((status in ('paid', 'held')) = (received_pesewas is not null))
);

create index payments_due on payments (check_at) where check_at is not null;
create index payments_user on payments (user_id, seq desc);
create index payments_held on payments (seq desc) where status = 'held';

-- Each notice of the card provider, kept before it is answered: should the process die then, it is not lost.
create table webhook_events (
  id bigint generated always as identity primary key,
  -- The provider sends no id of its own, so the hash of the body tells a repetition.
  body_hash bytea not null unique,
  event text not null,
  reference text,
  body text not null,
  received_at timestamptz not null,
  handled_at timestamptz
);

create index webhook_events_waiting on webhook_events (id) where handled_at is null;

-- Links to choose a new password: only the hash of the token that was mailed is kept, and using it removes it.
create table password_resets (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id uuid not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index password_resets_user on password_resets (user_id);

-- Every address that asked for a reset, known or not, so that asking takes the same time for both. The token is
-- made when the mail is sent, since a token kept here could be used by whoever reads the database.
create table password_reset_requests (
  id bigint generated always as identity primary key,
  email text not null,
  requested_at timestamptz not null,
  attempts integer not null default 0,
  try_at timestamptz,
  last_error text
);

create index password_reset_requests_due on password_reset_requests (try_at) where try_at is not null;
create index password_reset_requests_email on password_reset_requests (email, requested_at);
