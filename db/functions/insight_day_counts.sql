-- Some lines per day, network and supplier, to be added up: what was kept of the day, or its own rows, and what is not folded yet.
create or replace view insight_day_counts as
  select k.day, k.network, k.supplier, k.hours, k.minutes, k.hour_minutes from insight_days k
  where not exists (select from stale_days s where s.totals = 'insight' and s.day = k.day)
  union all select s.day, o.network, o.supplier, o.hours, o.minutes, o.hour_minutes
  from stale_days s cross join lateral insight_of_day(s.day) o where s.totals = 'insight'
  union all select (at at time zone 'UTC')::date, network, supplier,
    json_build_object(extract(hour from at at time zone 'UTC'), json_build_array(orders, net_pesewas, costed_pesewas, cost_pesewas, uncosted_orders)),
    case when minutes is null then '[]' else json_build_array(minutes, 1) end,
    case when minutes is null then '{}' else json_build_object(bought_hour, json_build_array(rough_minutes(minutes), 1)) end
  from insight_deltas;
