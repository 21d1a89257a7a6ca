create or replace trigger ledger_seals_append_only before update or delete on ledger_seals
  for each row execute function refuse_change();

create or replace trigger ledger_seals_no_truncate before truncate on ledger_seals
  for each statement execute function refuse_change();
