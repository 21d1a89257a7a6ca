-- One order may have taken money of several disputed payments: each has its share of the price, by which its refund makes good that loss.
set local lock_timeout = '3s';
alter table disputed_orders add column pesewas bigint;
update disputed_orders d set pesewas = o.price_pesewas from orders o where o.id = d.order_id;
alter table disputed_orders alter column pesewas set not null,
  add constraint disputed_orders_share check (pesewas > 0),
  drop constraint disputed_orders_pkey,
  add primary key (order_id, payment_reference);
