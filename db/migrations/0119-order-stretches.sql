set local lock_timeout = '3s';

-- The counts of orders of a hundred blocks, a million orders, so that a page far down a list of ten million is found without adding up each block.
create table order_stretches (
  stretch integer not null,
  network text not null,
  status text not null,
  orders bigint not null,
  primary key (stretch, network, status)
);

insert into order_stretches
select block / 100, network, status, sum(orders) from order_totals where day < 'infinity' group by 1, 2, 3;

create index order_totals_block on order_totals (block);
