-- What agents bought in a calendar month, kept as orders are delivered and in the order of their sales, so that the best of a month are found
-- without adding up the others. In stale_days a month is its first day; one that is there was not added up yet.
set local lock_timeout = '3s';

alter table stale_days drop constraint stale_days_totals_check;
alter table stale_days add constraint stale_days_totals_check check (totals in ('deliveries', 'insight', 'agents', 'months'));

create table agent_months (
  month date not null check (extract(day from month) = 1),
  agent_id uuid not null,
  orders bigint not null,
  sales_pesewas bigint not null,
  cost_pesewas bigint not null,
  uncosted_orders bigint not null,
  uncosted_pesewas bigint not null,
  refunded_orders bigint not null,
  refunded_pesewas bigint not null,
  refunded_uncosted_pesewas bigint not null,
  primary key (month, agent_id)
);
create index agent_months_by_sales on agent_months (month, sales_pesewas desc, agent_id);
create index agent_months_by_net on agent_months (month, (sales_pesewas - refunded_pesewas) desc, agent_id);

-- Every month from the first to the last, without reading the days between, since all tables are locked meanwhile.
insert into stale_days
select 'months', month::date from (select min(day) as first, max(day) as last from delivery_totals) days
cross join lateral generate_series(date_trunc('month', first::timestamp), last, '1 month') month;
