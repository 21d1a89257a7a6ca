create or replace trigger report_messages_append_only before update or delete on report_messages
  for each row execute function refuse_change();

create or replace trigger report_messages_no_truncate before truncate on report_messages
  for each statement execute function refuse_change();
create or replace trigger report_messages_held after insert on report_messages referencing new table as added
  for each statement execute function hold_share('lines of a report', 'report_id', '100', '', 'not from_shop');
