create or replace trigger payout_numbers_append_only before update or delete on payout_numbers
  for each row execute function refuse_change();

create or replace trigger payout_numbers_no_truncate before truncate on payout_numbers
  for each statement execute function refuse_change();
