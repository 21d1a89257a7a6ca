-- A key stays what it was made as: a test key never becomes a live one, and an ended key never works again.
create or replace function guard_api_key() returns trigger language plpgsql as $$
begin
  if (new.id, new.user_id, new.hash, new.is_test, new.scopes) is distinct from (old.id, old.user_id, old.hash, old.is_test, old.scopes)
    or (old.ended_at is not null and new.ended_at is distinct from old.ended_at)
    or (old.expires_at is not null and (new.expires_at is null or new.expires_at > old.expires_at)) then
    raise exception 'key % can only be ended, or expire sooner', old.id using errcode = 'DW013';
  end if;
  return new;
end $$;
