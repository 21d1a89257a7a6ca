create or replace trigger payments_open_held after insert on payments referencing new table as added
  for each statement execute function hold_share('open payments', 'user_id', '60', '', 'status = ''open''');
create or replace trigger payments_open_of_guests_held after insert on payments referencing new table as added
  for each statement execute function hold_share('open guest payments', 'guest_address', '1200', '', 'status = ''open''');

drop trigger if exists payments_loss_followed on payments;
create constraint trigger payments_loss_followed after update of loss_pesewas on payments
  deferrable initially deferred
  for each row when (old.loss_pesewas <> new.loss_pesewas) execute function follow_loss();
