-- Open payments are asked about at the card provider in turns of their payers, and each payer has a bounded number of them.
set local lock_timeout = '3s';
alter table payments
  -- The network of a guest's address (platform/address-key.ts). Null for accounts, and for payments of versions before.
  add column guest_address text constraint payments_guest_address check (guest_address is null or (user_id is null and length(guest_address) <= 64)),
  -- When its payer asked about it and got no answer; null once the provider was asked.
  add column asked_at timestamptz;
create index payments_open_of_user on payments (user_id) where status = 'open';
create index payments_open_of_address on payments (guest_address) where status = 'open';
