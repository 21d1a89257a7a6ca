-- A customer's word that a payment is theirs, by its transaction id. What becomes of it follows from the payment with that id,
-- so that it can never say other than the payment's own record.
create table payment_claims (
  seq bigint generated always as identity primary key,
  id uuid not null default gen_random_uuid() unique,
  user_id uuid not null references users,
  transaction_id text not null check (transaction_id ~ '^[A-Za-z0-9.-]{4,40}$'),
  created_at timestamptz not null,
  -- Until then a payment that arrives is compared with it.
  expires_at timestamptz not null,
  unique (user_id, transaction_id)
);
create index payment_claims_of_transaction on payment_claims (transaction_id);
