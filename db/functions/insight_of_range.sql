-- When deliveries from one day to another, both included, came and how long they took: lines to be added up, those with a sign of -1 to be taken
-- off. What the running totals know is the difference of two of them; of its days only how long the deliveries of each took is read, in lines without
-- network and supplier. A network, a supplier or both may be given.
create or replace function insight_of_range(p_from date, p_to date, p_network text, p_supplier text)
  returns table (day date, network text, supplier text, sign integer, hours json, minutes json, hour_minutes json) language sql stable as $$
  with kept_until as (
    -- No running total from the first day on that has changed since.
    select max(r.day) as day from insight_running_totals r
    where r.day < coalesce((select min(s.day) from stale_days s where s.totals = 'insight'), 'infinity')
  ),
  summed as (select k.day as until from kept_until k where k.day >= p_from),
  chosen as (
    select null::date as day, r.network, r.supplier, 1 as sign, r.hours, r.minutes, r.hour_minutes from insight_running_totals r
    where r.day = (select max(t.day) from insight_running_totals t where t.day <= p_to and t.day <= (select until from summed))
    union all select null, r.network, r.supplier, -1, r.hours, r.minutes, r.hour_minutes from insight_running_totals r
    where r.day = (select max(t.day) from insight_running_totals t where t.day < p_from and exists (select from summed))
    union all select k.day, k.network, k.supplier, 1, k.hours, k.minutes, k.hour_minutes from insight_days k
    where k.day between p_from and p_to and not exists (select from summed where k.day <= until)
      and not exists (select from stale_days s where s.totals = 'insight' and s.day = k.day)
    union all select s.day, o.network, o.supplier, 1, o.hours, o.minutes, o.hour_minutes
    from stale_days s cross join lateral insight_of_day(s.day) o where s.totals = 'insight' and s.day between p_from and p_to
    union all select f.day, f.network, f.supplier, 1, f.hours, f.minutes, f.hour_minutes from insight_fresh f where f.day between p_from and p_to
  )
  select * from chosen where (p_network is null or network = p_network) and (p_supplier is null or supplier = p_supplier)
  union all select m.day, null, null, 1, '{}'::json, m.minutes, '{}'::json from insight_day_minutes m, summed
  where p_network is null and p_supplier is null and m.day between p_from and least(p_to, until)
  union all select k.day, null, null, 1, '{}', k.minutes, '{}' from insight_days k, summed
  where (p_network is not null or p_supplier is not null) and k.day between p_from and least(p_to, until)
    and (p_network is null or k.network = p_network) and (p_supplier is null or k.supplier = p_supplier)
$$;
