-- Waits for entries that are being written and keeps others out until the transaction ends, so that the sums of a range that is being
-- closed are final. As the owner: the shop's role may add to the ledger, and so may not lock it.
create or replace function lock_ledger() returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  lock table journal_entries in share row exclusive mode;
end $$;
