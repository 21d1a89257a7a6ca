create or replace trigger contacts_held after insert on contacts referencing new table as added
  for each statement execute function hold_share('contacts', 'user_id', '500');
