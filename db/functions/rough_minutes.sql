-- Longer steps than delivery_minutes, for what is kept by the hour of the day.
create or replace function rough_minutes(p_minutes integer) returns integer language sql immutable as $$
  select case
    when p_minutes <= 5 then p_minutes
    when p_minutes <= 10 then 10
    when p_minutes <= 30 then (p_minutes + 4) / 5 * 5
    when p_minutes <= 60 then (p_minutes + 9) / 10 * 10
    when p_minutes <= 120 then (p_minutes + 29) / 30 * 30
    when p_minutes <= 240 then (p_minutes + 59) / 60 * 60
    when p_minutes <= 480 then 480
    when p_minutes <= 1440 then 1440
    else 10080
  end
$$;
