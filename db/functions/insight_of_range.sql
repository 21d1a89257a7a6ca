-- When deliveries from one day to another, both included, came and how long they took: lines to be added up, those with a sign of -1 to be taken
-- off. What the running totals know is the difference of two of them, and only how long the deliveries of each day took is read of the days.
create or replace function insight_of_range(p_from date, p_to date)
  returns table (day date, network text, supplier text, sign integer, hours json, minutes json, hour_minutes json) language sql stable as $$
  with kept_until as (
    -- No running total from the first day on that has changed since.
    select max(r.day) as day from insight_running_totals r
    where r.day < coalesce((select min(s.day) from stale_days s where s.totals = 'insight'), 'infinity')
  ),
  summed as (select k.day as until from kept_until k where k.day >= p_from)
  select null::date, r.network, r.supplier, 1, r.hours, '[]'::json, r.hour_minutes from insight_running_totals r
  where r.day = (select max(t.day) from insight_running_totals t, summed where t.day <= least(p_to, until))
  union all select null::date, r.network, r.supplier, -1, r.hours, '[]', r.hour_minutes from insight_running_totals r
  where r.day = (select max(t.day) from insight_running_totals t, summed where t.day < p_from)
  union all select k.day, k.network, k.supplier, 1,
    case when k.day <= (select until from summed) then '{}' else k.hours end, k.minutes,
    case when k.day <= (select until from summed) then '{}' else k.hour_minutes end
  from insight_days k
  where k.day between p_from and p_to and not exists (select from stale_days s where s.totals = 'insight' and s.day = k.day)
  union all select s.day, o.network, o.supplier, 1, o.hours, o.minutes, o.hour_minutes
  from stale_days s cross join lateral insight_of_day(s.day) o where s.totals = 'insight' and s.day between p_from and p_to
  union all select f.day, f.network, f.supplier, 1, f.hours, f.minutes, f.hour_minutes from insight_fresh f where f.day between p_from and p_to
$$;
