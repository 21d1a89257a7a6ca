create or replace trigger supplier_deliveries_guarded before update on supplier_deliveries
  for each row execute function guard_delivery();

create or replace trigger supplier_deliveries_not_locked before insert or update of status on supplier_deliveries
  for each row when (new.status in ('waiting', 'sending')) execute function refuse_locked_order();

create or replace trigger supplier_deliveries_told after update on supplier_deliveries
  for each row when (new.status in ('waiting', 'unknown', 'rejected', 'failed')) execute function note_delivery_event();
