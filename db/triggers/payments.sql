create or replace trigger payments_open_held after insert on payments referencing new table as added
  for each statement execute function hold_share('open payments', 'user_id', '60', '', 'status = ''open''');
create or replace trigger payments_open_of_guests_held after insert on payments referencing new table as added
  for each statement execute function hold_share('open guest payments', 'guest_address', '200', '', 'status = ''open''');
