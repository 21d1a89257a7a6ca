create or replace trigger admin_actions_append_only before update or delete on admin_actions
  for each row execute function refuse_change();

create or replace trigger admin_actions_no_truncate before truncate on admin_actions
  for each statement execute function refuse_change();

create or replace trigger admin_actions_counted after insert on admin_actions
  for each row execute function count_row('admin_actions');
