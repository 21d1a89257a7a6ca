create or replace trigger reports_guarded before insert or update on reports
  for each row execute function guard_report();

drop trigger if exists reports_refunded on reports;
create constraint trigger reports_refunded after insert or update on reports
  deferrable initially deferred
  for each row when (new.status = 'refunded') execute function check_report_is_refunded();
