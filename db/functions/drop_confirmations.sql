-- Whichever version of the program changes a phone number or an e-mail address, what was confirmed before ends with it.
create or replace function drop_confirmations() returns trigger language plpgsql as $$
begin
  if new.phone is distinct from old.phone then delete from confirmed_numbers where user_id = new.id; end if;
  if new.email is distinct from old.email then new.email_confirmed_at := null; end if;
  return new;
end $$;
