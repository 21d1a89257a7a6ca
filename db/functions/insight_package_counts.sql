create or replace view insight_package_counts as
  select * from insight_packages
  union all select (at at time zone 'UTC')::date, network, supplier, offer, orders, net_pesewas, costed_pesewas, cost_pesewas, uncosted_orders from insight_deltas;
