-- What staff note about a customer for one another. Customers never see it.
create table user_notes (
  id bigint generated always as identity primary key,
  user_id uuid not null references users,
  author_id uuid not null references users,
  body text not null check (body = btrim(body) and length(body) between 1 and 500),
  created_at timestamptz not null
);

create index user_notes_of_user on user_notes (user_id, id desc);

-- The browser and phone of a session in words; null for sessions from before.
set local lock_timeout = '3s';
alter table sessions add column device text check (length(device) between 1 and 60);
