-- A customer's word that they have sent mobile money; an admin approves it or declines it, once.
create table recharges (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity unique,
  -- Eight digits: people type it into the reference field of a mobile-money payment.
  recharge_id text not null unique check (recharge_id ~ '^[1-9][0-9]{7}$'),
  user_id uuid not null references users (id),
  amount_pesewas bigint not null check (amount_pesewas >= 5000),
  status text not null default 'pending' check (status in ('pending', 'approved', 'declined')),
  created_at timestamptz not null,
  decided_at timestamptz,
  decided_by uuid references users (id),
  check ((status = 'pending') = (decided_at is null))
);

create index recharges_user on recharges (user_id, seq desc);
create index recharges_pending on recharges (seq desc) where status = 'pending';
