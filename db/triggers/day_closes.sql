create or replace trigger day_closes_in_order before insert on day_closes
  for each row execute function guard_day_close();

create or replace trigger day_closes_append_only before update or delete on day_closes
  for each row execute function refuse_change();

create or replace trigger day_closes_no_truncate before truncate on day_closes
  for each statement execute function refuse_change();
