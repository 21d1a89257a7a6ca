create or replace trigger withdrawals_guarded before update on withdrawals for each row execute function guard_withdrawal();

create or replace trigger withdrawals_kept before delete on withdrawals for each row execute function refuse_change();

create or replace trigger withdrawals_to_confirmed_numbers before insert on withdrawals for each row
  when (new.unapproved) execute function guard_new_withdrawal();

create or replace trigger withdrawals_proven before insert on withdrawals for each row execute function guard_withdrawal_pin();
