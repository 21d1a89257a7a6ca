create or replace trigger orders_decided_once before update on orders
  for each row execute function refuse_second_decision();

create or replace trigger orders_counted after insert on orders for each row execute function count_order();

create or replace trigger orders_recounted after update of status on orders for each row
  when (old.status is distinct from new.status) execute function count_order();

create or replace trigger orders_noted after insert on orders for each row execute function note_new_order();

create or replace trigger orders_rejected_knowingly before update of status on orders
  for each row when (new.status = 'rejected' and old.status <> 'rejected') execute function guard_rejection();

-- By its name after orders_decided_once, which refuses a cost that comes from anywhere else.
create or replace trigger orders_delivery_cost before update of status on orders
  for each row when (new.status = 'completed' and old.status = 'pending') execute function fix_delivery_cost();

create or replace trigger orders_delivered after update of status on orders
  for each row when (old.status = 'pending' and new.status <> 'pending') execute function post_delivery();

create or replace trigger orders_delivery_counted after update of status, cost_pesewas on orders
  for each row when (new.completed_at is not null) execute function count_delivery();
create or replace trigger orders_not_locked before update of status on orders
  for each row when (old.status = 'pending' and new.status <> 'pending') execute function refuse_locked_order();

create or replace trigger orders_receiver_corrected before update of receiver on orders
  for each row when (old.receiver is distinct from new.receiver) execute function guard_receiver();

create or replace trigger orders_insight after update of status, cost_pesewas on orders
  for each row when (new.completed_at is not null) execute function count_insight();

create or replace trigger orders_api_event after update of status on orders
  for each row when (old.status is distinct from new.status and new.user_id is not null) execute function note_api_event();

create or replace trigger orders_decided_by_others before update of decided_by on orders for each row
  when (new.decided_by is not null and new.status <> 'pending') execute function refuse_own_gain('orders');

create or replace trigger orders_undone after update of status on orders for each row
  when (old.status = 'completed' and new.status = 'rejected' and new.user_id is not null) execute function note_undone_order();
