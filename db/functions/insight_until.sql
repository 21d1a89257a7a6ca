-- What was delivered until the end of a day, as insight_running_totals keeps it: the running totals of the day before, and the day's own.
create or replace function insight_until(p_day date)
  returns table (network text, supplier text, hours json, minutes json, hour_minutes json) language sql stable as $$
  with known as (
    select network, supplier, hours, minutes, hour_minutes from insight_running_totals
    where day = (select max(day) from insight_running_totals where day < p_day)
    union all select network, supplier, hours, minutes, hour_minutes from insight_days where day = p_day
  ),
  by_hour as (
    select network, supplier, key::integer as hour, array_to_string(array[sum((value->>0)::bigint), sum((value->>1)::bigint), sum((value->>2)::bigint),
      sum((value->>3)::bigint), sum((value->>4)::bigint)], ',') as sums
    from known cross join lateral json_each(hours) group by network, supplier, key
  ),
  -- Every other number is how many took as long as the one before it says. Without an hour those of all.
  by_minutes as (
    select network, supplier, hour, taken, sum(orders) as orders
    from (
      select network, supplier, hour, (pairs->>at)::integer as taken, (pairs->>at + 1)::bigint as orders
      from (
        select network, supplier, null::integer as hour, minutes as pairs from known
        union all select network, supplier, key::integer, value from known cross join lateral json_each(hour_minutes)
      ) lists cross join lateral generate_series(0, json_array_length(pairs) - 1, 2) at
    ) one group by network, supplier, hour, taken
  ),
  times as (
    select network, supplier, hour, '[' || string_agg(taken || ',' || orders, ',' order by taken) || ']' as pairs from by_minutes group by network, supplier, hour
  )
  select network, supplier, coalesce(h.hours, '{}')::json, coalesce(t.minutes, '[]')::json, coalesce(t.hour_minutes, '{}')::json
  from (select network, supplier, '{' || string_agg('"' || hour || '":[' || sums || ']', ',' order by hour) || '}' as hours from by_hour group by 1, 2) h
  full join (
    select network, supplier, max(pairs) filter (where hour is null) as minutes,
      '{' || string_agg('"' || hour || '":' || pairs, ',' order by hour) filter (where hour is not null) || '}' as hour_minutes
    from times group by 1, 2
  ) t using (network, supplier)
$$;
