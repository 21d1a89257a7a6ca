-- What was delivered until the end of a day, as insight_running_totals keeps it: the running totals of the day before, and the day's own.
create or replace function insight_until(p_day date) returns table (network text, supplier text, hours json, hour_minutes json) language sql stable as $$
  with before as (
    select * from insight_running_totals where day = (select max(day) from insight_running_totals where day < p_day)
  ),
  known as (
    select network, supplier, hours, hour_minutes from before
    union all select network, supplier, hours, hour_minutes from insight_days where day = p_day
  ),
  by_hour as (
    select network, supplier, key::integer as hour, array_to_string(array[sum((value->>0)::bigint), sum((value->>1)::bigint), sum((value->>2)::bigint),
      sum((value->>3)::bigint), sum((value->>4)::bigint)], ',') as sums
    from known cross join lateral json_each(hours) group by network, supplier, key
  ),
  -- Every other number is how many took as long as the one before it says.
  by_minutes as (
    select network, supplier, hour, minutes, sum(orders) as orders
    from (
      select network, supplier, key::integer as hour, (value->>at)::integer as minutes, (value->>at + 1)::bigint as orders
      from known cross join lateral json_each(hour_minutes) cross join lateral generate_series(0, json_array_length(value) - 1, 2) at
    ) pairs group by network, supplier, hour, minutes
  ),
  times as (
    select network, supplier, hour, string_agg(minutes || ',' || orders, ',' order by minutes) as taken from by_minutes group by network, supplier, hour
  )
  select network, supplier, coalesce(h.hours, '{}')::json, coalesce(t.hour_minutes, '{}')::json
  from (select network, supplier, '{' || string_agg('"' || hour || '":[' || sums || ']', ',' order by hour) || '}' as hours from by_hour group by 1, 2) h
  full join (select network, supplier, '{' || string_agg('"' || hour || '":[' || taken || ']', ',' order by hour) || '}' as hour_minutes from times group by 1, 2) t
    using (network, supplier)
$$;
