create or replace trigger bulk_groups_held after insert on bulk_groups referencing new table as added
  for each statement execute function hold_share('groups', 'user_id', '50');
create or replace trigger bulk_groups_bytes_held after insert on bulk_groups referencing new table as added
  for each statement execute function hold_share('bytes of groups', 'user_id', '8000000', 'sum(pg_column_size(lines))');
create or replace trigger bulk_groups_bytes_held_changed after update on bulk_groups referencing new table as added
  for each statement execute function hold_share('bytes of groups', 'user_id', '8000000', 'sum(pg_column_size(lines))');
