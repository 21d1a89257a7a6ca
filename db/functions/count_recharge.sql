create or replace function count_recharge() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    update list_counts set rows = rows - 1 where list = 'recharges' and status = old.status;
  end if;
  update list_counts set rows = rows + 1 where list = 'recharges' and status = new.status;
  return null;
end $$;
