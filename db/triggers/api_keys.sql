create or replace trigger api_keys_stay before update on api_keys for each row execute function guard_api_key();
