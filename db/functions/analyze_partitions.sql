-- Counts anew what the planner knows of each table that is kept in ranges, once these have grown by a fifth: autovacuum looks after the
-- ranges, never after the whole. As the owner, who alone may.
create or replace function analyze_partitions() returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  grown name;
begin
  for grown in
    select whole.relname from pg_class whole join pg_inherits i on i.inhparent = whole.oid join pg_class part on part.oid = i.inhrelid
    where whole.relkind = 'p' and whole.relnamespace = 'public'::regnamespace
    group by whole.oid, whole.relname, whole.reltuples
    having sum(greatest(part.reltuples, 0)) > 1.2 * greatest(whole.reltuples, 0) + 100
  loop
    execute format('analyze %I', grown);
  end loop;
end $$;
