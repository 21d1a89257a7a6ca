create or replace trigger price_publications_append_only before update or delete on price_publications
  for each row execute function refuse_change();

create or replace trigger price_publications_no_truncate before truncate on price_publications
  for each statement execute function refuse_change();
