create or replace function note_new_order() returns trigger language plpgsql as $$
begin
  insert into order_outbox (order_id) values (new.id);
  return null;
end $$;
