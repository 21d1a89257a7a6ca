create or replace trigger webhook_endpoints_held after insert on webhook_endpoints referencing new table as added
  for each statement execute function hold_share('webhooks', 'user_id', '10', '', 'ended_at is null');
