create or replace trigger report_messages_append_only before update or delete on report_messages
  for each row execute function refuse_change();

create or replace trigger report_messages_no_truncate before truncate on report_messages
  for each statement execute function refuse_change();
