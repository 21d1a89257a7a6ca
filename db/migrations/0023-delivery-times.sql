-- When the supplier took an order, and when it said that the receiver has the data. Null for what happened before these columns.
set local lock_timeout = '3s';
alter table supplier_deliveries add column accepted_at timestamptz, add column delivered_at timestamptz;
