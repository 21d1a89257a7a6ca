-- Transaction ids are not hashed, since a restore assigns new ones. The bounds stand twice, so that only their ranges of postings are read.
create or replace function seal_entries(p_before bytea, p_first bigint, p_last bigint, out entries bigint, out seal bytea)
language sql stable as $$
  select count(*), sha256(p_before || coalesce(string_agg(sha256(convert_to(line, 'UTF8')), ''::bytea order by id), ''::bytea))
  from (
    select e.id, row(e.id, e.key, e.kind, e.memo, e.actor_id, (extract(epoch from e.created_at) * 1000000)::bigint)::text
      || coalesce(string_agg(row(p.line, p.account_id, p.amount_pesewas, p.balance_after_pesewas)::text, '' order by p.line), '') as line
    from journal_entries e left join postings p on p.entry_id = e.id and p.entry_id between p_first and p_last
    where e.id between p_first and p_last group by e.id
  ) lines
$$;
