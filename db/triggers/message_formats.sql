create or replace trigger message_formats_append_only before update or delete on message_formats
  for each row execute function refuse_change();

create or replace trigger message_formats_no_truncate before truncate on message_formats
  for each statement execute function refuse_change();
