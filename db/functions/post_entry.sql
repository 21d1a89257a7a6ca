-- Moves money: one balanced entry, p_accounts[i] gets p_amounts[i] pesewas. With post_entries the only writer
-- of postings and of wallet balances. An entry that comes late for a range that is closed is of the moment after it. The same key with the same lines is the same entry and moves nothing again; with other
-- lines it is an error (DW004). A wallet that would go below zero is an error (constraint wallet_not_below_zero).
create or replace function post_entry(
  p_key text, p_kind text, p_memo text, p_actor uuid, p_accounts bigint[], p_amounts bigint[], p_now timestamptz
) returns bigint language plpgsql as $$
declare
  entry bigint;
  same boolean;
  after bigint;
  moved_at timestamptz;
begin
  -- Lock in sorted order, so that entries over the same wallets cannot deadlock.
  perform 1 from wallets where account_id = any (p_accounts) order by account_id for update;

  insert into journal_entries (key, kind, memo, actor_id, created_at)
  values (p_key, p_kind, p_memo, p_actor, greatest(p_now, (select max(until_at) from day_closes)))
  on conflict (key) do nothing
  returning id, created_at into entry, moved_at;

  if entry is null then
    select e.id, e.kind = p_kind and (
      select array_agg(p.account_id order by p.line) = p_accounts and array_agg(p.amount_pesewas order by p.line) = p_amounts
      from postings p where p.entry_id = e.id
    ) into entry, same from journal_entries e where e.key = p_key;
    if same is not true then
      raise exception 'journal key % was used for another entry', p_key using errcode = 'DW004';
    end if;
    return entry;
  end if;

  for i in 1 .. cardinality(p_accounts) loop
    after := null;
    if p_accounts[i] >= 1000 then
      update wallets set balance_pesewas = balance_pesewas + p_amounts[i], version = version + 1
      where account_id = p_accounts[i]
      returning balance_pesewas into strict after;
    else
      insert into account_deltas (account_id, pesewas, day, kind)
      values (p_accounts[i], p_amounts[i], (moved_at at time zone 'UTC')::date, p_kind);
    end if;
    insert into postings (entry_id, line, account_id, amount_pesewas, balance_after_pesewas)
    values (entry, i, p_accounts[i], p_amounts[i], after);
  end loop;
  return entry;
end $$;
