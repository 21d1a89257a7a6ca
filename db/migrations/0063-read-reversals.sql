-- Payments that a message has said to be taken back; the payment itself may be read later.
create table read_reversals (
  transaction_id text primary key check (length(transaction_id) between 4 and 40),
  read_at timestamptz not null
);
