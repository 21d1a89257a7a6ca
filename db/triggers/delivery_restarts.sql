create or replace trigger delivery_restarts_append_only before update or delete on delivery_restarts
  for each row execute function refuse_change();

create or replace trigger delivery_restarts_no_truncate before truncate on delivery_restarts
  for each statement execute function refuse_change();
