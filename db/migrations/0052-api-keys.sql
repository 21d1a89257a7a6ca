-- A key acts for its owner in the developer API (/v1). Only its hash is kept; `ending` names it on screens.
-- An ended key stays, so that what it did can be explained.
create table api_keys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  hash bytea not null unique check (length(hash) = 32),
  name text not null check (length(name) between 1 and 40),
  ending text not null check (length(ending) = 4),
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['balance:read', 'catalogue:read', 'orders:read', 'orders:write']),
  addresses text[] not null default '{}' check (cardinality(addresses) <= 20),
  created_at timestamptz not null,
  expires_at timestamptz check (expires_at > created_at),
  ended_at timestamptz
);
create index api_keys_user on api_keys (user_id, created_at desc);
