create or replace trigger withdrawals_guarded before update on withdrawals for each row execute function guard_withdrawal();

create or replace trigger withdrawals_kept before delete on withdrawals for each row execute function refuse_change();

create or replace trigger withdrawals_to_confirmed_numbers before insert on withdrawals for each row
  when (new.unapproved) execute function guard_new_withdrawal();

create or replace trigger withdrawals_proven before insert on withdrawals for each row execute function guard_withdrawal_pin();

create or replace trigger withdrawals_held after insert on withdrawals referencing new table as added
  for each statement execute function hold_share('withdrawals on their way', 'shop_id', '5', '', 'ended_at is null');

create or replace trigger withdrawals_decided_by_others before update of decided_by on withdrawals for each row
  when (new.decided_by is not null and new.decided_by is distinct from old.decided_by) execute function refuse_own_gain('withdrawals');
