create or replace function note_delivery_event() returns trigger language plpgsql as $$
declare
  happened text := case
    when old.status = 'sending' and new.status = 'waiting' then 'not-taken'
    when old.status = 'sending' and new.status in ('unknown', 'rejected') then new.status
    when new.status = 'failed' and old.status <> 'failed' then 'failed'
    when new.status = 'unknown' and new.asked > old.asked then 'asked'
  end;
begin
  if happened is not null and new.reference = old.reference then
    insert into delivery_events (order_id, supplier, reference, kind, detail, sent_at, at)
    values (new.order_id, new.supplier, new.reference, happened, new.detail, case when old.status = 'sending' then old.sent_at end, new.updated_at);
  end if;
  return null;
end $$;
