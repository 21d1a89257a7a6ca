-- Whether every transaction of this database that was writing when p_horizon was the next xid has ended. A row may take its
-- number early and commit late, so only then can no row appear below a number read at that time. Reads the locks, since a
-- snapshot would also wait for other databases of the server.
create or replace function all_ended_before(p_horizon xid8) returns boolean language sql volatile as $$
  select not exists (
    select from pg_locks written
    join pg_locks own on own.virtualtransaction = written.virtualtransaction and own.pid = written.pid
    cross join (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next) now
    where written.locktype = 'relation' and written.mode = 'RowExclusiveLock'
      and written.database = (select oid from pg_database where datname = current_database())
      and own.locktype = 'transactionid' and own.mode = 'ExclusiveLock' and own.granted
      -- pg_locks shows only 32 bits of a transaction id.
      and now.next - (now.next - own.transactionid::text::bigint) % 4294967296 < p_horizon::text::bigint
  )
$$;
