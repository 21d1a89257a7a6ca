create or replace trigger confirmed_numbers_guarded before insert on confirmed_numbers
  for each row execute function guard_confirmed_number();

create or replace trigger confirmed_numbers_never_changed before update on confirmed_numbers
  for each row execute function refuse_change();

create or replace trigger confirmed_numbers_held after insert on confirmed_numbers referencing new table as added
  for each statement execute function hold_share('confirmed numbers', 'user_id', '5');
