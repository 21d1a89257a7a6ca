create or replace trigger delivery_events_append_only before update or delete on delivery_events
  for each row execute function refuse_change();

create or replace trigger delivery_events_no_truncate before truncate on delivery_events
  for each statement execute function refuse_change();
