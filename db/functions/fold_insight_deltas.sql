create or replace function fold_insight_deltas() returns void language sql as $$
  with folded as (delete from insight_deltas returning *),
  changed as (
    insert into stale_days
    select 'insight', (at at time zone 'UTC')::date from folded union select 'packages', date_trunc('week', at at time zone 'UTC')::date from folded
    on conflict do nothing
  ),
  hours as (
    insert into insight_hours as kept (hour, network, supplier, orders, net_pesewas, costed_pesewas, cost_pesewas, uncosted_orders)
    select date_trunc('hour', at, 'UTC'), network, supplier, sum(orders), sum(net_pesewas), sum(costed_pesewas), sum(cost_pesewas), sum(uncosted_orders)
    from folded group by 1, network, supplier
    on conflict (hour, network, supplier) do update set
      orders = kept.orders + excluded.orders, net_pesewas = kept.net_pesewas + excluded.net_pesewas,
      costed_pesewas = kept.costed_pesewas + excluded.costed_pesewas, cost_pesewas = kept.cost_pesewas + excluded.cost_pesewas,
      uncosted_orders = kept.uncosted_orders + excluded.uncosted_orders
  ),
  packages as (
    insert into insight_packages as kept (day, network, supplier, offer, orders, net_pesewas, costed_pesewas, cost_pesewas, uncosted_orders)
    select (at at time zone 'UTC')::date, network, supplier, offer, sum(orders), sum(net_pesewas), sum(costed_pesewas), sum(cost_pesewas),
      sum(uncosted_orders)
    from folded group by 1, network, supplier, offer
    on conflict (day, network, supplier, offer) do update set
      orders = kept.orders + excluded.orders, net_pesewas = kept.net_pesewas + excluded.net_pesewas,
      costed_pesewas = kept.costed_pesewas + excluded.costed_pesewas, cost_pesewas = kept.cost_pesewas + excluded.cost_pesewas,
      uncosted_orders = kept.uncosted_orders + excluded.uncosted_orders
  ),
  times as (
    insert into insight_minutes as kept (day, network, supplier, minutes, orders)
    select (at at time zone 'UTC')::date, network, supplier, minutes, count(*) from folded where minutes is not null group by 1, network, supplier, minutes
    on conflict (day, network, supplier, minutes) do update set orders = kept.orders + excluded.orders
  )
  insert into insight_hour_minutes as kept (day, network, supplier, hour, minutes, orders)
  select (at at time zone 'UTC')::date, network, supplier, bought_hour, rough_minutes(minutes), count(*)
  from folded where minutes is not null group by 1, network, supplier, bought_hour, rough_minutes(minutes)
  on conflict (day, network, supplier, hour, minutes) do update set orders = kept.orders + excluded.orders
$$;
