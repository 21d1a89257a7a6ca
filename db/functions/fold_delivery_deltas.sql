create or replace function fold_delivery_deltas() returns void language sql as $$
  with folded as (delete from delivery_deltas returning *),
  changed as (
    insert into stale_days
    select 'deliveries', day from folded union select 'agents', date_trunc('week', day::timestamp)::date from folded where agent_id is not null
    on conflict do nothing
  ),
  months as (
    insert into agent_months as kept
    select date_trunc('month', day::timestamp)::date, agent_id, sum(orders), sum(sales_pesewas), sum(cost_pesewas), sum(uncosted_orders),
      sum(uncosted_pesewas), sum(refunded_orders), sum(refunded_pesewas), sum(refunded_uncosted_pesewas)
    from folded where agent_id is not null group by 1, 2
    on conflict (month, agent_id) do update set
      orders = kept.orders + excluded.orders, sales_pesewas = kept.sales_pesewas + excluded.sales_pesewas,
      cost_pesewas = kept.cost_pesewas + excluded.cost_pesewas,
      uncosted_orders = kept.uncosted_orders + excluded.uncosted_orders, uncosted_pesewas = kept.uncosted_pesewas + excluded.uncosted_pesewas,
      refunded_orders = kept.refunded_orders + excluded.refunded_orders, refunded_pesewas = kept.refunded_pesewas + excluded.refunded_pesewas,
      refunded_uncosted_pesewas = kept.refunded_uncosted_pesewas + excluded.refunded_uncosted_pesewas
  )
  insert into delivery_totals as kept
  select day, network, supplier, agent_id, sum(orders), sum(sales_pesewas), sum(cost_pesewas), sum(uncosted_orders), sum(uncosted_pesewas),
    sum(refunded_orders), sum(refunded_pesewas), sum(refunded_uncosted_pesewas)
  from folded group by day, network, supplier, agent_id
  on conflict on constraint delivery_totals_of do update set
    orders = kept.orders + excluded.orders, sales_pesewas = kept.sales_pesewas + excluded.sales_pesewas,
    cost_pesewas = kept.cost_pesewas + excluded.cost_pesewas,
    uncosted_orders = kept.uncosted_orders + excluded.uncosted_orders, uncosted_pesewas = kept.uncosted_pesewas + excluded.uncosted_pesewas,
    refunded_orders = kept.refunded_orders + excluded.refunded_orders, refunded_pesewas = kept.refunded_pesewas + excluded.refunded_pesewas,
    refunded_uncosted_pesewas = kept.refunded_uncosted_pesewas + excluded.refunded_uncosted_pesewas
$$;
