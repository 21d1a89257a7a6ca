-- Proves, while the version before sells on, that all postings lie below a bound, which becomes the end of their first range. Without it
-- they would all be read while the shop is closed. The bound is one to two ranges above the newest number given, so that sales until the
-- migration, or after one that failed, stay far below it; a later start moves it once less than half a range is left.
do $$
declare
  -- As in make_partitions.
  size constant bigint := 4000000;
  newest bigint;
  bound bigint;
begin
  if to_regclass('postings') is null then return; end if;
  -- Sales go on beside this lock, and an autovacuum ends for it.
  set local lock_timeout = '10s';
  lock table postings in share update exclusive mode;
  newest := greatest((select max(entry_id) from postings), pg_sequence_last_value(pg_get_serial_sequence('journal_entries', 'id')::regclass), 0);
  bound := (select substring(pg_get_constraintdef(oid) from '\d+') from pg_constraint
    where conrelid = 'postings'::regclass and conname = 'postings_first_range');
  if bound >= newest + size / 2 then return; end if;
  -- And they wait for this one.
  set local lock_timeout = '100ms';
  alter table postings drop constraint if exists postings_first_range;
  execute format('alter table postings add constraint postings_first_range check (entry_id < %L::bigint) not valid', (newest / size + 2) * size);
end $$;

do $$
begin
  if exists (select from pg_constraint where conrelid = to_regclass('postings') and conname = 'postings_first_range' and not convalidated) then
    set local lock_timeout = '10s';
    alter table postings validate constraint postings_first_range;
  end if;
end $$;
