create or replace function fold_order_deltas() returns void language sql as $$
  with folded as (delete from order_deltas returning *),
  days as (
    select day, block, network, status, orders, pesewas from folded
    union all select 'infinity', -1, network, status, orders, pesewas from folded
  ),
  stretches as (
    insert into order_stretches as kept (stretch, network, status, orders)
    select block / 100, network, status, sum(orders) from folded group by 1, 2, 3
    on conflict (stretch, network, status) do update set orders = kept.orders + excluded.orders
  )
  insert into order_totals as kept (day, block, network, status, orders, pesewas)
  select day, block, network, status, sum(orders), sum(pesewas) from days group by day, block, network, status
  on conflict (day, block, network, status) do update set orders = kept.orders + excluded.orders, pesewas = kept.pesewas + excluded.pesewas
$$;
