-- Deferred to the commit, when all postings of the entry exist.
drop trigger if exists journal_entries_balance on journal_entries;
create constraint trigger journal_entries_balance after insert on journal_entries
  deferrable initially deferred
  for each row execute function check_entry_balances();

create or replace trigger journal_entries_append_only before update or delete on journal_entries
  for each row execute function refuse_change();

create or replace trigger journal_entries_no_truncate before truncate on journal_entries
  for each statement execute function refuse_change();
