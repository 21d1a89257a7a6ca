-- Each time that a backup came back on a database of its own and its books were proved. Nobody rehearsed for a month: the owner is told.
create table restore_rehearsals (
  id bigint generated always as identity primary key,
  rehearsed_at timestamptz not null default now(),
  -- The moment whose state came back.
  restored_to timestamptz not null,
  -- A backup's one file, or the archive of the database's log.
  source text not null check (source in ('file', 'archive')),
  orders bigint not null check (orders >= 0),
  entries bigint not null check (entries >= 0)
);
