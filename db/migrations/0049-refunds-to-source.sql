-- What is owed to guests goes back the way it came, through the card provider, or becomes a code for a wallet.
set local lock_timeout = '3s';

-- Whatever kinds there are by now stay, whichever migrations have run.
do $$
declare
  kinds text := (select pg_get_constraintdef(oid) from pg_constraint where conname = 'journal_entries_kind_check');
begin
  alter table journal_entries drop constraint journal_entries_kind_check;
  execute 'alter table journal_entries add constraint journal_entries_kind_check '
    || replace(kinds, '''provider-fee''::text', '''provider-fee''::text, ''refund-code''::text, ''refund-claimed''::text');
end $$;

alter table refunds
  drop constraint refunds_status_check,
  add constraint refunds_status_check check (status in ('due', 'sending', 'accepted', 'unknown', 'review', 'paid', 'code', 'claimed')),
  -- The call may have been made.
  add column sent_at timestamptz,
  add column ask_at timestamptz,
  add column asks integer not null default 0,
  -- How often in a row the provider did not have it, and since when.
  add column not_found integer not null default 0,
  add column not_found_at timestamptz,
  -- The provider's own number of it.
  add column provider_id text unique,
  -- What the provider said last, for staff.
  add column provider_note text,
  add column claimed_by uuid references users,
  add column decided_by uuid references users,
  add column ended_at timestamptz,
  add constraint refunds_claimed check ((claimed_by is not null) = (status = 'claimed')),
  add constraint refunds_ended check ((ended_at is not null) = (status in ('paid', 'claimed')));
update refunds set ask_at = created_at;
create index refunds_to_ask on refunds (ask_at) where ask_at is not null;
create index refunds_open on refunds (seq) where ended_at is null;

-- Only the hash of a code is kept; another one takes its place when it is shown again.
create table refund_codes (
  refund_id uuid primary key references refunds,
  hash bytea not null unique,
  shown_at timestamptz not null
);
