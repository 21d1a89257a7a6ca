create or replace function count_row() returns trigger language plpgsql as $$
begin
  update list_counts set rows = rows + 1 where list = tg_table_name and status = '';
  return null;
end $$;
