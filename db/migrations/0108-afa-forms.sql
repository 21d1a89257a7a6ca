-- The details of a person for AFA, given before the order is paid for. The purchase makes them the order's (afa_registrations) and deletes the
-- form; a form that nothing was bought with is deleted soon.
create table afa_forms (
  id uuid primary key,
  -- Who gave it: a user, or a guest of an agent's shop.
  user_id uuid references users,
  shop_id uuid references agent_shops,
  -- As in afa_registrations.
  details bytea not null,
  card_hash bytea not null,
  consented_at timestamptz not null,
  check ((user_id is null) <> (shop_id is null))
);
create index afa_forms_of_user on afa_forms (user_id, consented_at) where user_id is not null;
create index afa_forms_consented on afa_forms (consented_at);
