create or replace trigger checker_codes_guarded before update or delete on checker_codes
  for each row execute function guard_checker_code();

create or replace trigger checker_codes_no_truncate before truncate on checker_codes
  for each statement execute function refuse_change();
