create or replace trigger payment_credits_guarded before update or delete on payment_credits
  for each row execute function guard_payment_credit();
