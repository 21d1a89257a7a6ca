create or replace view order_counts as
  select day, block, network, status, orders, pesewas from order_totals
  union all select day, block, network, status, orders, pesewas from order_deltas
  union all select 'infinity', -1, network, status, orders, pesewas from order_deltas;
