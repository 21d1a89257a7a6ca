-- The customer says that they have sent the money of a recharge; why a recharge was declined.
set local lock_timeout = '3s';

alter table recharges
  add column said_paid_at timestamptz,
  add column decline_reason text,
  add constraint recharges_decline_reason check (decline_reason is null or (status = 'declined' and length(decline_reason) between 1 and 200));

-- What the customer reads on their statement about a credit or debit by the shop. The entry's own memo stays with the admins.
create table customer_notes (
  entry_id bigint primary key references journal_entries (id),
  note text not null check (length(note) between 1 and 200)
);
