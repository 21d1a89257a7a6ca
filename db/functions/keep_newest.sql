-- Ends an owner's oldest rows beyond the most that one may have, such as sessions. Arguments: the owner's column, the most, and the order,
-- such as 'last_used_at desc'. For a statement trigger after insert with `referencing new table as added`. Those who add for one owner at
-- the same time wait for one another.
create or replace function keep_newest() returns trigger language plpgsql as $$
declare
  owner text;
begin
  for owner in execute format('select distinct %1$I::text from added where %1$I is not null order by 1', tg_argv[0])
  loop
    perform pg_advisory_xact_lock(hashtextextended(tg_table_name || ' of ' || owner, 0));
    execute format('delete from %1$I.%2$I where ctid = any (array(select ctid from %1$I.%2$I where %3$I = $1::%5$s order by %4$s offset $2))',
      tg_table_schema, tg_table_name, tg_argv[0], tg_argv[2],
      (select format_type(atttypid, null) from pg_attribute where attrelid = tg_relid and attname = tg_argv[0])) using owner, tg_argv[1]::integer;
  end loop;
  return null;
end $$;
