-- Whichever version of the program changes how somebody signs in or is told of things, it is noted when.
create or replace function note_login_change() returns trigger language plpgsql as $$
begin
  new.login_changed_at := clock_timestamp();
  return new;
end $$;
