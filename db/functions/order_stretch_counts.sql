-- How many orders a stretch has: a hundred blocks, a million numbers.
create or replace view order_stretch_counts as
  select stretch, network, status, orders from order_stretches
  union all select block / 100, network, status, orders from order_deltas;
