-- Longer steps than delivery_minutes, for what is kept by the hour of the day.
create or replace function rough_minutes(p_minutes integer) returns integer language sql immutable as $$
  select min(step) from unnest(array[1, 2, 3, 4, 5, 7, 10, 15, 20, 25, 30, 40, 50, 60, 90, 120, 180, 240, 480, 1440, 10080]) step
  where step >= p_minutes or step = 10080
$$;
