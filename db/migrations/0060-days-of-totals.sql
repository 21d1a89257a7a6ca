-- A day that is over is added up once more, into a few rows without agents and hours, so that Profit and Insight cost the same whatever
-- the shop sells. A day in stale_days has changed since, or was not added up yet, and is read from its own rows.
set local lock_timeout = '3s';

create table stale_days (
  totals text not null check (totals in ('deliveries', 'insight')),
  day date not null,
  primary key (totals, day)
);

create table delivery_days (
  day date not null,
  network text not null,
  supplier text not null,
  orders bigint not null,
  sales_pesewas bigint not null,
  cost_pesewas bigint not null,
  uncosted_orders bigint not null,
  uncosted_pesewas bigint not null,
  refunded_orders bigint not null,
  refunded_pesewas bigint not null,
  refunded_uncosted_pesewas bigint not null,
  primary key (day, network, supplier)
);

-- hours: {"13": [orders, net, costed and cost in pesewas, orders without a cost]}; minutes: {"4": orders}; hour_minutes, by the hour in
-- which they were bought: {"13": {"4": orders}}. The same steps as in insight_minutes and insight_hour_minutes.
create table insight_days (
  day date not null,
  network text not null,
  supplier text not null,
  hours jsonb not null,
  minutes jsonb not null,
  hour_minutes jsonb not null,
  primary key (day, network, supplier)
);

insert into stale_days select distinct 'deliveries', day from delivery_totals;
insert into stale_days select distinct 'insight', (hour at time zone 'UTC')::date from insight_hours;
