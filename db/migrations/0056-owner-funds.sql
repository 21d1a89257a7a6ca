-- What the owner has paid into the business, less what they have taken out.
set local lock_timeout = '3s';
insert into accounts (id, code) values (12, 'owner-funds') on conflict do nothing;

-- Whatever kinds there are by now stay, whichever migrations have run.
do $$
declare
  kinds text := (select pg_get_constraintdef(oid) from pg_constraint where conname = 'journal_entries_kind_check');
begin
  alter table journal_entries drop constraint journal_entries_kind_check;
  execute 'alter table journal_entries add constraint journal_entries_kind_check '
    || replace(kinds, '''provider-fee''::text', '''provider-fee''::text, ''owner-funds''::text');
end $$;
