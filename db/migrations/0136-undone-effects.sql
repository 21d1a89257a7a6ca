-- Money that goes back to its payer takes back what it caused: the profit of an agent's shop and the commission above it, the Agent level, the
-- reward of an invitation, and what is still owed to a guest.
set local lock_timeout = '3s';

-- Whatever kinds there are by now stay, whichever migrations have run.
do $$
declare
  kinds text := (select pg_get_constraintdef(oid) from pg_constraint where conname = 'journal_entries_kind_check');
begin
  alter table journal_entries drop constraint journal_entries_kind_check;
  execute 'alter table journal_entries add constraint journal_entries_kind_check '
    || replace(kinds, '''provider-fee''::text', '''provider-fee''::text, ''effect-undone''::text, ''referral-undone''::text, ''dispute-won''::text');
end $$;

-- How much of an effect of a payment is undone at present. It follows from how much of the payment is lost (undo_effects), so that it comes
-- back when the loss does.
create table undone_effects (
  payment_reference text not null references payments,
  effect text not null check (effect in ('profit', 'commission', 'upgrade')),
  -- The order whose profit or commission it is.
  order_id uuid references orders,
  caused_pesewas bigint not null check (caused_pesewas > 0),
  undone_pesewas bigint not null,
  -- How often it has changed; part of the entries' keys.
  times integer not null check (times > 0),
  changed_at timestamptz not null,
  unique nulls not distinct (payment_reference, effect, order_id),
  constraint undone_effects_once check (undone_pesewas between 0 and caused_pesewas),
  constraint undone_effects_of check ((order_id is null) = (effect = 'upgrade'))
);
create index undone_effects_of_order on undone_effects (order_id) where order_id is not null;

-- What the provider said when a dispute was decided, and what came back after it had been lost.
alter table disputes
  add column decided_at timestamptz,
  add column won_back_pesewas bigint not null default 0 constraint disputes_won_back check (won_back_pesewas between 0 and amount_pesewas);

-- A reward may be taken back and earned again.
alter table referrals
  add column undone integer not null default 0 constraint referrals_undone check (undone >= 0),
  -- When a reward is looked at again, because an order or a payment of the customer went back.
  add column recheck_at timestamptz;
create index referrals_recheck on referrals (recheck_at) where recheck_at is not null;

-- `returned`: the payer's bank or the provider gave back what was owed to a guest, so that it is owed no longer.
alter table refunds
  drop constraint refunds_status_check,
  add constraint refunds_status_check
    check (status in ('due', 'sending', 'accepted', 'unknown', 'review', 'paid', 'code', 'claimed', 'wallet', 'returned')),
  drop constraint refunds_ended,
  add constraint refunds_ended check ((ended_at is not null) = (status in ('paid', 'claimed', 'wallet', 'returned'))),
  add constraint refunds_returned check (status <> 'returned' or user_id is null);
-- What is owed again after that may be less.
drop index refunds_of_payment;
create unique index refunds_of_payment on refunds (payment_reference) where order_id is null and status <> 'returned';
