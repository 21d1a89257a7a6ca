create or replace trigger users_counted after insert on users for each row execute function count_row();

create or replace trigger users_staff_roles_added after insert on users for each row
  when (new.level = 'Admin') execute function keep_staff_roles();

create or replace trigger users_staff_roles_kept after update of level on users for each row
  when ((old.level = 'Admin') is distinct from (new.level = 'Admin')) execute function keep_staff_roles();

create or replace trigger users_login_change_noted before update of phone, email, password_hash on users for each row
  when ((old.phone, old.email, old.password_hash) is distinct from (new.phone, new.email, new.password_hash))
  execute function note_login_change();

create or replace trigger users_confirmations_dropped before update of phone, email on users for each row
  when ((old.phone, old.email) is distinct from (new.phone, new.email)) execute function drop_confirmations();

create or replace trigger users_pause_schedules after update of password_hash on users for each row
  when (old.password_hash is distinct from new.password_hash) execute function pause_unproven_schedules();
