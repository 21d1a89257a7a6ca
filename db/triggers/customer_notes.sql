create or replace trigger customer_notes_append_only before update or delete on customer_notes
  for each row execute function refuse_change();

create or replace trigger customer_notes_no_truncate before truncate on customer_notes
  for each statement execute function refuse_change();
