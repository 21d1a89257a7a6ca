-- What staff must do before money moves. `second_factor_required` is null until a process has decided by its mode: on in a
-- live shop. A balance changed by hand above `password_above_pesewas` asks for the password again, above
-- `second_person_above_pesewas` for a second person; null is never.
create table staff_rules (
  id boolean primary key default true check (id),
  second_factor_required boolean,
  password_above_pesewas bigint default 50000 check (password_above_pesewas >= 0),
  second_person_above_pesewas bigint check (second_person_above_pesewas >= 0),
  updated_at timestamptz not null default now()
);
insert into staff_rules default values;

-- A one-time code at sign-in. It counts once it was confirmed with a first code. A code's time step is taken once, so that no
-- code works twice. `secret` is encrypted if the shop has a key (server/platform/seal-secret.ts).
create table second_factors (
  user_id uuid not null references users,
  kind text not null check (kind = 'totp'),
  secret bytea not null,
  last_step bigint not null default 0,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  primary key (user_id, kind)
);

-- Each signs its user in once, in the place of a code. Only hashes are kept.
create table recovery_codes (
  hash bytea primary key check (length(hash) = 32),
  user_id uuid not null references users,
  created_at timestamptz not null,
  used_at timestamptz
);
create index recovery_codes_user on recovery_codes (user_id);

-- When the password was given again in a session; until then its beginning counts.
alter table sessions add column password_at timestamptz;

-- A change of a balance that needs a second person. What is proposed never changes; `action_hash` is what both of them saw.
create table approvals (
  id uuid primary key default gen_random_uuid(),
  action text not null check (action in ('wallet.credit', 'wallet.debit')),
  action_hash bytea not null check (length(action_hash) = 32),
  details jsonb not null,
  proposed_by uuid not null references users,
  proposed_at timestamptz not null,
  expires_at timestamptz not null,
  decision text check (decision in ('approved', 'declined')),
  decided_by uuid references users,
  decided_at timestamptz,
  check ((decision is null) = (decided_at is null) and (decision is null) = (decided_by is null)),
  constraint approvals_by_two_people check (decision is distinct from 'approved' or decided_by <> proposed_by)
);
create unique index approvals_open on approvals (action_hash) where decision is null;
create index approvals_newest on approvals (proposed_at desc);

-- The record of what staff did is searched at any length.
set local lock_timeout = '3s';
create index admin_actions_words on admin_actions using gin ((action || ' ' || note) gin_trgm_ops);
create index admin_actions_actor on admin_actions (actor_id, id desc);
create index admin_actions_created on admin_actions (created_at);
