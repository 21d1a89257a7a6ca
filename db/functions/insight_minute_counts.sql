create or replace view insight_minute_counts as
  select * from insight_minutes
  union all select (at at time zone 'UTC')::date, network, supplier, minutes, 1 from insight_deltas where minutes is not null;
