create or replace trigger bulk_schedules_held after insert on bulk_schedules referencing new table as added
  for each statement execute function hold_share('schedules', 'user_id', '50');
