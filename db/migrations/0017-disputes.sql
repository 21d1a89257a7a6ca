-- A webhook event that could not be acted on at once goes on as a job, so that it holds up no later one.
alter table webhook_events add column queued_at timestamptz;
drop index webhook_events_waiting;
create index webhook_events_waiting on webhook_events (id) where handled_at is null and queued_at is null;

-- What the card provider has taken back from us, for the ledger to say where it went.
insert into accounts (id, code) values (17, 'dispute-losses');

alter table journal_entries drop constraint journal_entries_kind_check;
alter table journal_entries add constraint journal_entries_kind_check check (kind in (
  'order', 'order-refund', 'admin-credit', 'admin-debit', 'recharge', 'card-payment', 'card-surcharge', 'agent-upgrade',
  'dispute-lost', 'dispute-recovered', 'card-refund'
));

alter table payments
  -- Why the pending orders of this payment are not sent or decided; null when they are not on hold.
  add column hold_reason text,
  -- What of it went back to the payer at the card provider, and what of that nobody has made good yet (account 17).
  add column returned_pesewas bigint not null default 0,
  add column loss_pesewas bigint not null default 0,
  add constraint payments_returned check (returned_pesewas between 0 and coalesce(received_pesewas, 0)),
  add constraint payments_loss check (loss_pesewas between 0 and returned_pesewas);

-- A payer's bank asks for the money back. One row for each dispute, by the card provider's own id; its webhook events come in
-- any order and more than once.
create table disputes (
  provider_id text primary key,
  seq bigint generated always as identity unique,
  -- The payment that it is about, which need not be one of ours.
  reference text not null,
  amount_pesewas bigint not null check (amount_pesewas >= 0),
  currency text not null,
  category text not null,
  -- In the provider's words.
  status text not null,
  resolution text,
  -- open: to be answered or being looked at. unclear: resolved in a way that we do not know.
  outcome text not null default 'open' check (outcome in ('open', 'won', 'lost', 'unclear')),
  payer_email text,
  due_at timestamptz,
  heard_at timestamptz not null,
  resolved_at timestamptz,
  -- What of it was booked as lost.
  booked_pesewas bigint not null default 0 check (booked_pesewas between 0 and amount_pesewas),
  check ((outcome = 'open') = (resolved_at is null))
);

create index disputes_reference on disputes (reference);

-- Money that the card provider sends back to a payer, whoever asked for it.
create table card_refunds (
  provider_id text primary key,
  seq bigint generated always as identity unique,
  reference text not null,
  amount_pesewas bigint not null check (amount_pesewas > 0),
  currency text not null,
  status text not null check (status in ('pending', 'processing', 'needs-attention', 'failed', 'processed')),
  heard_at timestamptz not null,
  updated_at timestamptz not null,
  booked_pesewas bigint not null default 0 check (booked_pesewas between 0 and amount_pesewas)
);

create index card_refunds_reference on card_refunds (reference);

-- Money that a signed webhook event and the card provider speak of under a reference that is none of ours. It is nobody's
-- until a payment of this reference exists.
create table unmatched_payments (
  reference text primary key check (length(reference) between 1 and 200),
  amount_pesewas bigint not null check (amount_pesewas >= 0),
  currency text not null,
  is_test boolean not null,
  payer_email text,
  found_at timestamptz not null
);
