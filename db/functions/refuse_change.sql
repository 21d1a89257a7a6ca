-- Rows that are kept in ranges of their numbers lie in tables whose names end with the range.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', regexp_replace(tg_table_name, '_\d+$', ''), lower(tg_op) using errcode = 'DW001';
end $$;
