-- What was proposed stays as it was, and is decided once.
create or replace function guard_approval() returns trigger language plpgsql as $$
begin
  if old.decision is not null
    or (new.id, new.action, new.action_hash, new.details, new.proposed_by, new.proposed_at, new.expires_at)
      is distinct from (old.id, old.action, old.action_hash, old.details, old.proposed_by, old.proposed_at, old.expires_at) then
    raise exception 'an approval is decided once, as it was proposed' using errcode = 'DW001';
  end if;
  return new;
end $$;
