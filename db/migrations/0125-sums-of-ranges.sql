-- What a range of days needs, kept so that thirty days and a quarter cost nearly what a day does: running totals of when deliveries came and how
-- long they took, of which a range is the difference of two; and what each agent bought in a day and in a week as one value.
set local lock_timeout = '3s';

-- What was delivered until the end of the day, as in insight_days. Days without deliveries have no rows.
create table insight_running_totals (
  day date not null,
  network text not null,
  supplier text not null,
  hours json not null,
  minutes json not null,
  hour_minutes json not null,
  primary key (day, network, supplier)
);
-- How long the deliveries of a day took, of all networks and suppliers, as in insight_days.
create table insight_day_minutes (
  day date primary key,
  minutes json not null
);
insert into stale_days
select 'insight', day::date from (select min(hour) as first, max(hour) as last from insight_hours) hours
cross join lateral generate_series(date_trunc('day', first, 'UTC') at time zone 'UTC', last at time zone 'UTC', '1 day') day
on conflict do nothing;
drop view if exists insight_day_counts, insight_minute_counts, insight_hour_minute_counts;

-- Of each agent 16 bytes: users.seq (4), delivered orders (4), sales less refunds in pesewas (8), each with the highest byte first. Those with most
-- sales are apart, and with them what the others have at most and at least, so that the best of a range are mostly found without these. Without a
-- network and a supplier those of all.
create table agent_lists (
  days integer not null check (days in (1, 7)),
  starts_on date not null,
  network text,
  supplier text,
  best bytea not null,
  others bytea not null,
  others_most bigint not null default 0,
  others_least bigint not null default 0,
  check ((network is null) = (supplier is null)),
  constraint agent_lists_of unique nulls not distinct (days, starts_on, network, supplier)
);
-- They are not compressed, since they are read to be added up.
alter table agent_lists alter column best set storage external, alter column others set storage external;

-- What was sold of each package in a week that is over.
create table insight_package_weeks (
  week date not null check (extract(isodow from week) = 1),
  network text not null,
  supplier text not null,
  offer text not null,
  orders bigint not null,
  net_pesewas bigint not null,
  costed_pesewas bigint not null,
  cost_pesewas bigint not null,
  uncosted_orders bigint not null,
  primary key (week, network, supplier, offer)
);
alter table stale_days drop constraint stale_days_totals_check;
alter table stale_days add constraint stale_days_totals_check check (totals in ('deliveries', 'insight', 'agents', 'months', 'packages'));

insert into stale_days
select 'deliveries', day::date from (select min(day) as first, max(day) as last from delivery_totals) days
cross join lateral generate_series(first::timestamp, last, '1 day') day
union all select totals, week::date from (select min(day) as first, max(day) as last from delivery_totals) days
cross join lateral generate_series(date_trunc('week', first::timestamp), last, '1 week') week
cross join (values ('agents'), ('packages')) weekly (totals)
on conflict do nothing;

-- One agent's days.
create index delivery_totals_by_agent on delivery_totals (agent_id, day);

drop index agent_months_by_sales;
