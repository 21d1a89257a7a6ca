-- Deferred to the commit, when all postings of the entry exist.
drop trigger if exists journal_entries_balance on journal_entries;
create constraint trigger journal_entries_balance after insert on journal_entries
  deferrable initially deferred
  for each row execute function check_entry_balances();

create or replace trigger journal_entries_append_only before update or delete on journal_entries
  for each row execute function refuse_change();

create or replace trigger journal_entries_no_truncate before truncate on journal_entries
  for each statement execute function refuse_change();

-- Deferred like the balance: whose wallets an entry fills is known with its postings.
drop trigger if exists journal_entries_credited_by_others on journal_entries;
create constraint trigger journal_entries_credited_by_others after insert on journal_entries
  deferrable initially deferred
  for each row when (new.actor_id is not null and new.kind in ('admin-credit', 'recharge')) execute function refuse_own_gain('journal_entries');
