-- What is not folded yet, each delivery as a line of its day, as in insight_days.
create or replace view insight_fresh as
  select (at at time zone 'UTC')::date as day, network, supplier,
    json_build_object(extract(hour from at at time zone 'UTC'), json_build_array(orders, net_pesewas, costed_pesewas, cost_pesewas, uncosted_orders)) as hours,
    case when minutes is null then '[]' else json_build_array(minutes, 1) end as minutes,
    case when minutes is null then '{}' else json_build_object(bought_hour, json_build_array(rough_minutes(minutes), 1)) end as hour_minutes
  from insight_deltas;
