-- Pauses the schedules for which nobody gave a PIN, once the wallet asks for one or the password changes: whoever had the account's session or
-- password may have set them. Whichever version of the program changes these.
create or replace function pause_unproven_schedules() returns trigger language plpgsql as $$
begin
  update bulk_schedules set is_paused = true, paused_why = case tg_table_name when 'users' then 'password' else 'pin' end
  where user_id = (to_jsonb(new) ->> case tg_table_name when 'users' then 'id' else 'user_id' end)::uuid and next_at is not null and not pin_proven;
  return null;
end $$;
