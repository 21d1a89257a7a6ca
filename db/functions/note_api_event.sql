-- Notes what became of an order of a user whose programs want to hear of it. `webhooks/relay-events.ts` sends it on.
create or replace function note_api_event() returns trigger language plpgsql as $$
begin
  insert into api_events (user_id, is_test, type, order_id, created_at)
  select new.user_id, false,
    case when new.status = 'completed' then 'order.delivered' when old.status = 'pending' then 'order.refused' else 'order.refunded' end,
    new.id, coalesce(new.decided_at, now())
  where exists (select from webhook_endpoints where user_id = new.user_id and not is_test and ended_at is null)
  on conflict do nothing;
  return null;
end $$;
