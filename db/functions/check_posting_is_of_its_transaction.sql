create or replace function check_posting_is_of_its_transaction() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from added join journal_entries entry on entry.id = added.entry_id
    where entry.xact <> pg_current_xact_id()
  ) then
    raise exception 'a posting may only join an entry of its own transaction' using errcode = 'DW002';
  end if;
  return null;
end $$;
