create or replace view insight_hour_counts as
  select * from insight_hours
  union all select date_trunc('hour', at, 'UTC'), network, supplier, orders, net_pesewas, costed_pesewas, cost_pesewas, uncosted_orders from insight_deltas;
