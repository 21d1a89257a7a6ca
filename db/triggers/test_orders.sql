create or replace trigger test_orders_held after insert on test_orders referencing new table as added
  for each statement execute function hold_share('test orders', 'user_id', '10000');
