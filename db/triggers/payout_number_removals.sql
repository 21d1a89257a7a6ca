create or replace trigger payout_number_removals_append_only before update or delete on payout_number_removals
  for each row execute function refuse_change();

create or replace trigger payout_number_removals_no_truncate before truncate on payout_number_removals
  for each statement execute function refuse_change();
