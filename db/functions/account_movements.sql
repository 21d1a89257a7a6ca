-- What moved on the house's accounts from p_from up to, but without, p_until, by kind of entry. Whole days come from account_days;
-- only the hours at either end are read from the entries. When nothing has moved since p_until, as when that is now, its day is whole;
-- when nothing has moved since p_from, no hours are read at all.
create or replace function account_movements(p_from timestamptz, p_until timestamptz)
returns table (account_id bigint, kind text, postings bigint, pesewas bigint) language plpgsql stable
-- A plan for any times would read all entries.
set plan_cache_mode = force_custom_plan as $$
declare
  is_newest boolean := p_until = 'infinity' or not exists (select from journal_entries e where e.created_at >= p_until);
  first_day date := (p_from at time zone 'UTC')::date + case when p_from > date_trunc('day', p_from, 'UTC') then 1 else 0 end;
  end_day date := (p_until at time zone 'UTC')::date + case when is_newest then 1 else 0 end;
  until_first timestamptz := least(p_until, first_day::timestamp at time zone 'UTC');
  since_end timestamptz := greatest(p_from, end_day::timestamp at time zone 'UTC');
  -- Where it is false, the plan leaves the entries out: planning how to read all of their ranges takes longer than reading the days.
  has_hours boolean := (p_from < until_first and exists (select from journal_entries e where e.created_at >= p_from))
    or (first_day <= end_day and since_end < p_until);
begin
  return query
  select m.account_id, m.kind, sum(m.postings)::bigint, sum(m.pesewas)::bigint
  from (
    select d.account_id, d.kind, d.postings, d.pesewas from account_days d where d.day >= first_day and d.day < end_day
    union all
    select d.account_id, d.kind, 1, d.pesewas from account_deltas d where d.day >= first_day and d.day < end_day
    union all
    select p.account_id, e.kind, 1, p.amount_pesewas
    from journal_entries e join postings p on p.entry_id = e.id and p.account_id < 1000
    where has_hours and (
      (e.created_at >= p_from and e.created_at < until_first)
      or (first_day <= end_day and e.created_at >= since_end and e.created_at < p_until)
    )
  ) m
  group by m.account_id, m.kind;
end $$;
