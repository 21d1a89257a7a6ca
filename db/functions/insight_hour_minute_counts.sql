create or replace view insight_hour_minute_counts as
  select * from insight_hour_minutes
  union all select (at at time zone 'UTC')::date, network, supplier, bought_hour, rough_minutes(minutes), 1 from insight_deltas where minutes is not null;
