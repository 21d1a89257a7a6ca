create or replace trigger api_keys_stay before update on api_keys for each row execute function guard_api_key();
create or replace trigger api_keys_held after insert on api_keys referencing new table as added
  for each statement execute function hold_share('keys', 'user_id', '2000');
