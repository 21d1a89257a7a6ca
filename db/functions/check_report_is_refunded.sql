-- Deferred to the commit: a report that ended in a refund belongs to an order that was refunded in the same transaction.
create or replace function check_report_is_refunded() returns trigger language plpgsql as $$
begin
  if not exists (select from orders where id = new.order_id and status = 'rejected') then
    raise exception 'report % ended in a refund, but its order is not refunded', new.id using errcode = 'DW008';
  end if;
  return null;
end $$;
