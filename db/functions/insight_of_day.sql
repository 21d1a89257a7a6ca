-- One day of Insight as insight_days keeps it, from its hours and minutes.
create or replace function insight_of_day(p_day date)
  returns table (network text, supplier text, hours jsonb, minutes jsonb, hour_minutes jsonb) language sql stable as $$
  select network, supplier, coalesce(h.hours, '{}'), coalesce(m.minutes, '{}'), coalesce(t.hour_minutes, '{}')
  from (
    select network, supplier, jsonb_object_agg(extract(hour from hour at time zone 'UTC'),
        jsonb_build_array(orders, net_pesewas, costed_pesewas, cost_pesewas, uncosted_orders)) as hours
    from insight_hours where hour >= p_day::timestamp at time zone 'UTC' and hour < (p_day + 1)::timestamp at time zone 'UTC'
    group by network, supplier
  ) h
  full join (
    select network, supplier, jsonb_object_agg(minutes, orders) as minutes from insight_minutes where day = p_day group by network, supplier
  ) m using (network, supplier)
  full join (
    select network, supplier, jsonb_object_agg(hour, taken) as hour_minutes
    from (
      select network, supplier, hour, jsonb_object_agg(minutes, orders) as taken
      from insight_hour_minutes where day = p_day group by network, supplier, hour
    ) by_hour group by network, supplier
  ) t using (network, supplier)
$$;
