-- Keeps two empty ranges ahead of the newest row of each table that is kept in ranges of its numbers, and returns how many were made.
-- As the owner, since the shop's role makes no tables. A range is made apart and then attached, so that writers to the others don't
-- wait, except for a moment those to tables that its foreign keys name. Where a lock can't be had at once, a later call makes it: before
-- deadlock_timeout, so that no sale is ended for it.
create or replace function make_partitions() returns integer
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '500ms' as $$
declare
  size constant bigint := 4000000;
  kept record;
  ranges bigint;
  range_end bigint;
  made integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtext('make_partitions')) then return 0; end if;
  for kept in
    select name, pg_sequence_last_value(numbers::regclass) as newest from (values
      ('admin_actions', pg_get_serial_sequence('admin_actions', 'id')),
      ('order_search', pg_get_serial_sequence('orders', 'seq')),
      ('postings', pg_get_serial_sequence('journal_entries', 'id'))
    ) kept_in_ranges (name, numbers)
  loop
    select count(*), max(substring(pg_get_expr(p.relpartbound, p.oid) from 'TO \(''(\d+)''\)')::bigint) into ranges, range_end
    from pg_inherits i join pg_class p on p.oid = i.inhrelid where i.inhparent = kept.name::regclass;
    while range_end < coalesce(kept.newest, 0) + 2 * size loop
      ranges := ranges + 1;
      execute format('create table %I (like %I including defaults including constraints)', kept.name || '_' || ranges, kept.name);
      execute format('alter table %I attach partition %I for values from (%s) to (%s)',
        kept.name, kept.name || '_' || ranges, range_end, range_end + size);
      range_end := range_end + size;
      made := made + 1;
    end loop;
  end loop;
  return made;
exception when lock_not_available then return 0;
end $$;
