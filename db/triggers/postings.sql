create or replace trigger postings_append_only before update or delete on postings
  for each row execute function refuse_change();

create or replace trigger postings_no_truncate before truncate on postings
  for each statement execute function refuse_change();

create or replace trigger postings_of_their_transaction after insert on postings
  referencing new table as added
  for each statement execute function check_posting_is_of_its_transaction();
