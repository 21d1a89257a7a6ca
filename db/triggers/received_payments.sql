create or replace trigger received_payments_guarded before update or delete on received_payments
  for each row execute function guard_received_payment();

create or replace trigger received_payments_counted after insert on received_payments for each row execute function count_row();
