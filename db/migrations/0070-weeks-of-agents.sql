-- Days of Insight are read as they were written, so json; how many orders took how long are pairs: [minutes, orders, minutes, orders].
set local lock_timeout = '3s';

drop view if exists insight_day_counts;
drop function if exists insight_of_day(date);
delete from insight_days;
alter table insight_days
  alter column hours type json using hours::json,
  alter column minutes type json using minutes::json,
  alter column hour_minutes type json using hour_minutes::json;
insert into stale_days select distinct 'insight', (hour at time zone 'UTC')::date from insight_hours on conflict do nothing;

-- What agents bought in a week that is over, so that a month is a few rows of each. In stale_days a week is its Monday.
alter table stale_days drop constraint stale_days_totals_check;
alter table stale_days add constraint stale_days_totals_check check (totals in ('deliveries', 'insight', 'agents'));

create table agent_weeks (
  week date not null check (extract(isodow from week) = 1),
  agent_id uuid not null,
  orders bigint not null,
  sales_pesewas bigint not null,
  cost_pesewas bigint not null,
  uncosted_orders bigint not null,
  uncosted_pesewas bigint not null,
  refunded_orders bigint not null,
  refunded_pesewas bigint not null,
  refunded_uncosted_pesewas bigint not null,
  primary key (week, agent_id)
);

insert into stale_days select distinct 'agents', date_trunc('week', day::timestamp)::date from delivery_totals where agent_id is not null;
