-- What a range of days needs, kept so that thirty days and a quarter cost nearly what a day does: running totals of when deliveries came and how
-- long they took, of which a range is the difference of two; and what each agent bought in a day and in a week as one value.
set local lock_timeout = '3s';

-- What was delivered until the end of the day, as in insight_days. Days without deliveries have no rows.
create table insight_running_totals (
  day date not null,
  network text not null,
  supplier text not null,
  hours json not null,
  hour_minutes json not null,
  primary key (day, network, supplier)
);
drop view if exists insight_day_counts, insight_minute_counts, insight_hour_minute_counts;

-- Of each agent 16 bytes: users.seq (4), delivered orders (4), sales less refunds in pesewas (8), each with the highest byte first.
create table agent_lists (
  days integer not null check (days in (1, 7)),
  starts_on date not null,
  network text not null,
  supplier text not null,
  agents bytea not null,
  primary key (days, starts_on, network, supplier)
);
-- They are compressed no further: they are read to be added up.
alter table agent_lists alter column agents set storage external;
insert into stale_days
select 'deliveries', day::date from (select min(day) as first, max(day) as last from delivery_totals) days
cross join lateral generate_series(first::timestamp, last, '1 day') day
union all select 'agents', week::date from (select min(day) as first, max(day) as last from delivery_totals) days
cross join lateral generate_series(date_trunc('week', first::timestamp), last, '1 week') week
on conflict do nothing;

-- One agent's days.
create index delivery_totals_by_agent on delivery_totals (agent_id, day);

drop index agent_months_by_sales;
