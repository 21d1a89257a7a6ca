-- A customer who paid an order by card or mobile money may have its refund sent back that way, from their wallet.
set local lock_timeout = '3s';

-- Whatever kinds there are by now stay, whichever migrations have run.
do $$
declare
  kinds text := (select pg_get_constraintdef(oid) from pg_constraint where conname = 'journal_entries_kind_check');
begin
  alter table journal_entries drop constraint journal_entries_kind_check;
  execute 'alter table journal_entries add constraint journal_entries_kind_check '
    || replace(kinds, '''refund-paid''::text', '''refund-paid''::text, ''refund-to-source''::text, ''refund-returned''::text');
end $$;

alter table operations_settings add column refunds_to_source boolean not null default true;

alter table refunds
  -- Whose wallet it was taken from; null for a guest's.
  add column user_id uuid references users,
  drop constraint refunds_status_check,
  add constraint refunds_status_check check (status in ('due', 'sending', 'accepted', 'unknown', 'review', 'paid', 'code', 'claimed', 'wallet')),
  drop constraint refunds_ended,
  add constraint refunds_ended check ((ended_at is not null) = (status in ('paid', 'claimed', 'wallet'))),
  -- A customer has a wallet and needs no code; a guest has none.
  add constraint refunds_of_customers check (case when user_id is null then status <> 'wallet' else status not in ('code', 'claimed') and order_id is not null end);
