create table users (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity unique,
  username text not null check (username = lower(btrim(username)) and length(username) between 2 and 30),
  -- The username with look-alike characters folded: two names that read the same cannot both exist.
  username_skeleton text not null unique,
  email text not null unique check (email = lower(btrim(email))),
  phone text not null unique check (phone ~ '^[0-9]{10}$'),
  password_hash text not null,
  level text not null default 'Customer' check (level in ('Customer', 'Agent', 'Admin')),
  status text not null default 'Active' check (status in ('Active', 'Banned')),
  created_at timestamptz not null default now()
);

create index users_admins on users (id) where level = 'Admin';

-- Only a hash of a session's token is kept, so a copy of the database signs nobody in.
create table sessions (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id uuid not null references users (id),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null
);

create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);
