-- The only owner has nobody above them, so they decide for themselves too.
create or replace function is_only_owner(p_person uuid) returns boolean language sql stable as $$
  select exists (select from staff_roles r join users u on u.id = r.user_id
      where u.id = p_person and r.role = 'owner' and u.level = 'Admin' and u.status = 'Active')
    and not exists (select from staff_roles r join users u on u.id = r.user_id
      where u.id <> p_person and r.role = 'owner' and u.level = 'Admin' and u.status = 'Active')
$$;
