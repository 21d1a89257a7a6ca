-- delivery_counts without the agents, and days that are over from what was kept of them.
create or replace view delivery_day_counts as
  select k.* from delivery_days k where not exists (select from stale_days s where s.totals = 'deliveries' and s.day = k.day)
  union all select t.day, t.network, t.supplier, t.orders, t.sales_pesewas, t.cost_pesewas, t.uncosted_orders, t.uncosted_pesewas,
    t.refunded_orders, t.refunded_pesewas, t.refunded_uncosted_pesewas
  from stale_days s join delivery_totals t on t.day = s.day where s.totals = 'deliveries'
  union all select day, network, supplier, orders, sales_pesewas, cost_pesewas, uncosted_orders, uncosted_pesewas,
    refunded_orders, refunded_pesewas, refunded_uncosted_pesewas
  from delivery_deltas;
