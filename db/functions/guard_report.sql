-- A report ends once. An order is sent again or refunded because of reports, never both: the application checks this too.
create or replace function guard_report() returns trigger language plpgsql as $$
declare
  ordered text;
  standing text;
begin
  if tg_op = 'UPDATE' then
    if old.status <> 'open' and new is distinct from old then
      raise exception 'report % has ended as %', old.id, old.status using errcode = 'DW008';
    end if;
    if (new.order_id, new.opened_at) is distinct from (old.order_id, old.opened_at) then
      raise exception 'what report % is about cannot be changed', old.id using errcode = 'DW008';
    end if;
  end if;
  -- A decision of the order waits for this transaction, or is seen here.
  select status into ordered from orders where id = new.order_id for update;
  if new.status in ('open', 'resent') and ordered = 'rejected' then
    raise exception 'order % is refunded, so nothing is left to report or to send again', new.order_id using errcode = 'DW008';
  end if;
  select status into standing from supplier_deliveries where order_id = new.order_id;
  if new.status = 'resent' and standing in ('waiting', 'sending', 'accepted', 'unknown') then
    raise exception 'order % is % at the supplier and cannot be sent again', new.order_id, standing using errcode = 'DW008';
  end if;
  return new;
end $$;
