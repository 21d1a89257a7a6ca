create or replace trigger receiver_corrections_append_only before update or delete on receiver_corrections
  for each row execute function refuse_change();

create or replace trigger receiver_corrections_no_truncate before truncate on receiver_corrections
  for each statement execute function refuse_change();
