create or replace view delivery_counts as
  select * from delivery_totals
  union all select * from delivery_deltas;
