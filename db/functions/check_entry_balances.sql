create or replace function check_entry_balances() returns trigger language plpgsql as $$
declare
  total numeric;
  lines integer;
begin
  select coalesce(sum(amount_pesewas), 0), count(*) into total, lines from postings where entry_id = new.id;
  if lines < 2 then
    raise exception 'journal entry % (%) has % postings, at least two are needed', new.id, new.key, lines using errcode = 'DW003';
  end if;
  if total <> 0 then
    raise exception 'journal entry % (%) does not balance: its postings sum to %', new.id, new.key, total using errcode = 'DW003';
  end if;
  return null;
end $$;
