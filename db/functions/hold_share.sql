-- Refuses rows beyond an owner's share (server/platform/shares.ts). Arguments: the share's name, the owner's column, the most, then optionally
-- a measure, such as 'sum(octet_length(text))', and a condition on the rows that count. For a statement trigger after insert with
-- `referencing new table as added`. Those who add for one owner at the same time wait for one another, so each sees the others' rows.
create or replace function hold_share() returns trigger language plpgsql as $$
declare
  share text := tg_argv[0];
  measure text := coalesce(nullif(tg_argv[3], ''), 'count(*)');
  condition text := coalesce(nullif(tg_argv[4], ''), 'true');
  owner text;
  used bigint;
begin
  for owner in
    execute format('select distinct %1$I::text from added where %1$I is not null order by 1', tg_argv[1])
  loop
    perform pg_advisory_xact_lock(hashtextextended(share || ' ' || owner, 0));
    -- A statement of its own: it sees what was committed while it waited.
    execute format('select coalesce(%s, 0) from %I.%I where %I = $1::%s and %s', measure, tg_table_schema, tg_table_name, tg_argv[1],
      (select format_type(atttypid, null) from pg_attribute where attrelid = tg_relid and attname = tg_argv[1]), condition)
      into used using owner;
    if used > tg_argv[2]::bigint then
      raise exception 'the share "%" of % is used up', share, owner using errcode = 'DW015', constraint = share;
    end if;
  end loop;
  return null;
end $$;
