create or replace trigger restore_rehearsals_append_only before update or delete on restore_rehearsals
  for each row execute function refuse_change();

create or replace trigger restore_rehearsals_no_truncate before truncate on restore_rehearsals
  for each statement execute function refuse_change();
