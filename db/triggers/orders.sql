create or replace trigger orders_decided_once before update on orders
  for each row execute function refuse_second_decision();

create or replace trigger orders_counted after insert on orders for each row execute function count_order();

create or replace trigger orders_recounted after update of status on orders for each row
  when (old.status is distinct from new.status) execute function count_order();

create or replace trigger orders_noted after insert on orders for each row execute function note_new_order();

create or replace trigger orders_rejected_knowingly before update of status on orders
  for each row when (new.status = 'rejected' and old.status <> 'rejected') execute function guard_rejection();
