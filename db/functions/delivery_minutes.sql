-- Minutes rounded up: each minute of the first hour, then steps of five minutes to four hours, of half an hour to a day, and of a day.
create or replace function delivery_minutes(p_took interval) returns integer language sql immutable as $$
  select case
    when minutes <= 60 then minutes
    when minutes <= 240 then (minutes + 4) / 5 * 5
    when minutes <= 1440 then (minutes + 29) / 30 * 30
    when minutes <= 10080 then (minutes + 1439) / 1440 * 1440
    else 10080
  end
  from (select greatest(1, least(ceil(extract(epoch from p_took) / 60), 1000000))::integer as minutes) taken
$$;
