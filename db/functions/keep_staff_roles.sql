-- Whoever becomes an admin without a role is an owner; whoever stops being one has no role left.
create or replace function keep_staff_roles() returns trigger language plpgsql as $$
begin
  if new.level = 'Admin' then
    insert into staff_roles (user_id, role)
      select new.id, 'owner' where not exists (select from staff_roles where user_id = new.id);
  else
    delete from staff_roles where user_id = new.id;
  end if;
  return null;
end $$;
