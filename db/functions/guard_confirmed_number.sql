-- A number is confirmed by a code that was typed, for the account that asked for it and not for a shop's earnings.
create or replace function guard_confirmed_number() returns trigger language plpgsql as $$
begin
  if not exists (select from payout_codes c where c.id = new.code_id and c.shop_id is null and c.used_at is not null) then
    raise exception 'no code has confirmed the number %', new.phone using errcode = 'DW018';
  end if;
  return new;
end $$;
