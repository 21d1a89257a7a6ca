-- An order that is locked in a batch is decided through the batch, which ends the lock first, and is not sent to a supplier.
create or replace function refuse_locked_order() returns trigger language plpgsql as $$
declare
  locked uuid := case tg_table_name when 'orders' then to_jsonb(new) ->> 'id' else to_jsonb(new) ->> 'order_id' end;
begin
  if exists (select from batch_orders where order_id = locked and status = 'locked') then
    raise exception 'order % is locked in a batch', locked using errcode = 'DW009';
  end if;
  return new;
end $$;
