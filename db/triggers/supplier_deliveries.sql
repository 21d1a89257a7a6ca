create or replace trigger supplier_deliveries_guarded before update on supplier_deliveries
  for each row execute function guard_delivery();
