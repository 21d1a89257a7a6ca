-- Whether every transaction of this database that was writing when p_horizon was the next one to begin has ended. A row may take
-- its number early and appear after rows with higher numbers, but none appears below a number that was read then. Asked of the
-- locks, since a snapshot also waits for the other databases of the server.
create or replace function all_ended_before(p_horizon xid8) returns boolean language sql volatile as $$
  select not exists (
    select from pg_locks written
    join pg_locks own on own.virtualtransaction = written.virtualtransaction and own.pid = written.pid
    cross join (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next) now
    where written.locktype = 'relation' and written.mode = 'RowExclusiveLock'
      and written.database = (select oid from pg_database where datname = current_database())
      and own.locktype = 'transactionid' and own.mode = 'ExclusiveLock' and own.granted
      -- The locks show 32 bits of a transaction's number.
      and now.next - (now.next - own.transactionid::text::bigint) % 4294967296 < p_horizon::text::bigint
  )
$$;
