create or replace trigger payment_lists_held after insert on payment_lists referencing new table as added
  for each statement execute function hold_share('lists to be paid', 'user_id', '20', '', 'list is not null');
