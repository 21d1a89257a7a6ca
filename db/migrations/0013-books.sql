-- What the shop proves about its own books while it sells, by server/ledger/invariants: one row for each check of an
-- invariant. Good ones are kept for a day, the others for three months.
create table invariant_checks (
  id bigint generated always as identity primary key,
  invariant text not null,
  -- All rows, or only those since an earlier check that found nothing.
  whole boolean not null,
  began_at timestamptz not null,
  took_ms integer not null,
  -- How many rows were looked at.
  rows bigint not null,
  -- The newest rows that it has seen: { "entries": id, "orders": seq, "actions": id }.
  reached jsonb not null,
  -- What is wrong: [{ "rule", "subject", "detail" }], the first of each rule.
  found jsonb not null default '[]',
  -- Why it could not be checked.
  problem text
);

create index invariant_checks_newest on invariant_checks (invariant, id desc);
create index invariant_checks_age on invariant_checks (began_at);

-- While one of these is not lifted, nothing is sold. A check makes it, an admin lifts it, nothing lifts it by itself.
create table purchase_pauses (
  id bigint generated always as identity primary key,
  paused_at timestamptz not null,
  -- [{ "invariant", "rule", "subject", "detail" }]: what was lifted with a pause pauses no more.
  found jsonb not null,
  lifted_at timestamptz,
  lifted_by uuid references users (id),
  lift_reason text check (length(lift_reason) between 1 and 500),
  check ((lifted_at is null) = (lifted_by is null) and (lifted_at is null) = (lift_reason is null))
);

create unique index purchase_pauses_one on purchase_pauses ((lifted_at is null)) where lifted_at is null;

-- A chain over the ledger: each seal is the hash of the one before and of the entries since, so that a change of an old
-- entry shows even where it balances. Made after the fact by the job that has just proven these entries: a chain that
-- every sale extended would make all sales wait for one another.
create table ledger_seals (
  last_entry bigint primary key,
  first_entry bigint not null unique,
  entries bigint not null check (entries > 0),
  seal bytea not null check (length(seal) = 32),
  sealed_at timestamptz not null,
  check (first_entry <= last_entry)
);
