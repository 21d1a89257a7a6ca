create or replace trigger transaction_pins_pause_schedules_new after insert on transaction_pins for each row
  when (new.at_checkout) execute function pause_unproven_schedules();

create or replace trigger transaction_pins_pause_schedules after update of at_checkout on transaction_pins for each row
  when (new.at_checkout and not old.at_checkout) execute function pause_unproven_schedules();
