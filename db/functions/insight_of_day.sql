-- One day of Insight as insight_days keeps it, from its hours and minutes.
create or replace function insight_of_day(p_day date)
  returns table (network text, supplier text, hours json, minutes json, hour_minutes json) language sql stable as $$
  select network, supplier, coalesce(h.hours, '{}')::json, coalesce(m.minutes, '[]')::json, coalesce(t.hour_minutes, '{}')::json
  from (
    select network, supplier, '{' || string_agg(format('"%s":[%s,%s,%s,%s,%s]', extract(hour from hour at time zone 'UTC'), orders, net_pesewas,
        costed_pesewas, cost_pesewas, uncosted_orders), ',' order by hour) || '}' as hours
    from insight_hours where hour >= p_day::timestamp at time zone 'UTC' and hour < (p_day + 1)::timestamp at time zone 'UTC'
    group by network, supplier
  ) h
  full join (
    select network, supplier, '[' || string_agg(minutes || ',' || orders, ',' order by minutes) || ']' as minutes
    from insight_minutes where day = p_day group by network, supplier
  ) m using (network, supplier)
  full join (
    select network, supplier, '{' || string_agg('"' || hour || '":[' || taken || ']', ',' order by hour) || '}' as hour_minutes
    from (
      select network, supplier, hour, string_agg(minutes || ',' || orders, ',' order by minutes) as taken
      from insight_hour_minutes where day = p_day group by network, supplier, hour
    ) by_hour group by network, supplier
  ) t using (network, supplier)
$$;
