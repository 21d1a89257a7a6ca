-- Moves money once for each key: entry i takes p_amounts[i] pesewas from account p_from to account p_to, in the order of the arrays. What
-- many calls of post_entry would do, in as many statements as one; but every key must be new.
create or replace function post_entries(
  p_kind text, p_actor uuid, p_from bigint, p_to bigint, p_keys text[], p_memos text[], p_amounts bigint[], p_now timestamptz
) returns void language plpgsql as $$
declare
  total constant bigint := (select sum(amount) from unnest(p_amounts) amount);
  moved_at constant timestamptz := greatest(p_now, (select max(until_at) from day_closes));
  from_before bigint;
  to_before bigint;
  entries bigint[];
begin
  -- Lock in sorted order, so that entries over the same wallets cannot deadlock.
  perform 1 from wallets where account_id in (p_from, p_to) order by account_id for update;

  -- A posting to a wallet without its balance is refused, so an unknown wallet is an error below.
  if p_from >= 1000 then
    update wallets set balance_pesewas = balance_pesewas - total, version = version + cardinality(p_keys)
    where account_id = p_from returning balance_pesewas + total into from_before;
  end if;
  if p_to >= 1000 then
    update wallets set balance_pesewas = balance_pesewas + total, version = version + cardinality(p_keys)
    where account_id = p_to returning balance_pesewas - total into to_before;
  end if;
  -- One line for each posting: the totals of a day also count them.
  insert into account_deltas (account_id, pesewas, day, kind)
  select account, pesewas, (moved_at at time zone 'UTC')::date, p_kind
  from unnest(p_amounts) amount cross join lateral (values (p_from, -amount), (p_to, amount)) posting (account, pesewas)
  where account < 1000;

  with made as (
    insert into journal_entries (key, kind, memo, actor_id, created_at)
    select key, p_kind, memo, p_actor, moved_at from unnest(p_keys, p_memos) with ordinality as wanted (key, memo, place) order by place
    returning id
  )
  select array_agg(id order by id) into entries from made;

  -- The arrays are read side by side, never joined: no plan can make this quadratic.
  insert into postings (entry_id, line, account_id, amount_pesewas, balance_after_pesewas)
  select id, line, account, pesewas, after
  from (
    select id, amount, place, (sum(amount) over (order by place))::bigint as so_far
    from unnest(entries, p_amounts) with ordinality as entry (id, amount, place)
  ) moved cross join lateral (
    values (1, p_from, -amount, from_before - so_far), (2, p_to, amount, to_before + so_far)
  ) posting (line, account, pesewas, after)
  order by id, line;
end $$;
