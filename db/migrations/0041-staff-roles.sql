-- What an admin may do. Somebody whose level is Admin and who has no row may do nothing in the Admin Portal.
-- A trigger of users adds the row of an owner when a level becomes Admin and no role was chosen, so whoever a process of an
-- older version promotes is an owner, as every admin was before.
create table staff_roles (
  user_id uuid not null references users,
  role text not null check (role in ('orders', 'finance', 'products', 'support', 'owner')),
  primary key (user_id, role)
);

insert into staff_roles (user_id, role) select id, 'owner' from users where level = 'Admin';
