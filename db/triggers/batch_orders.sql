create or replace trigger batch_orders_guarded before insert or update on batch_orders
  for each row execute function guard_batch_order();

drop trigger if exists batch_orders_ended on batch_orders;
create constraint trigger batch_orders_ended after update on batch_orders
  deferrable initially deferred
  for each row when (old.status = 'locked' and new.status in ('completed', 'rejected')) execute function check_batch_order_ended();
