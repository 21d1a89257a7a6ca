create or replace trigger recharges_decided_once before update on recharges
  for each row execute function refuse_second_recharge_decision();

create or replace trigger recharges_counted after insert on recharges for each row execute function count_recharge();

create or replace trigger recharges_recounted after update of status on recharges for each row
  when (old.status is distinct from new.status) execute function count_recharge();
create or replace trigger recharges_held after insert on recharges referencing new table as added
  for each statement execute function hold_share('recharges that wait', 'user_id', '20', '', 'status = ''pending''');
