-- The trigger names its list where the rows lie in ranges of their numbers: each of these has a name of its own.
create or replace function count_row() returns trigger language plpgsql as $$
begin
  update list_counts set rows = rows + 1 where list = coalesce(tg_argv[0], tg_table_name) and status = '';
  return null;
end $$;
