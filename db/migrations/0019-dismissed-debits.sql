-- Up to which of the shop's debits of their wallet (an id of admin_actions) a user has dismissed the explanation.
create table dismissed_debits (
  user_id uuid primary key references users (id),
  up_to bigint not null,
  dismissed_at timestamptz not null
);
