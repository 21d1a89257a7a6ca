-- Takes one attempt from a bucket (see take_attempts) and says what is left in it, for the headers of the developer API.
create or replace function take_attempt_of(p_name text, p_size integer, p_every_ms integer, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  wait integer := take_attempts(array[p_name], array[p_size], array[p_every_ms], array[1], p_now);
  used_ms numeric;
begin
  select greatest(extract(epoch from empty_at - p_now) * 1000, 0) into used_ms from rate_limit_buckets where name = p_name;
  return jsonb_build_object('waitMs', wait, 'left', greatest(p_size - ceil(coalesce(used_ms, 0) / p_every_ms), 0)::integer,
    'allAfterMs', ceil(coalesce(used_ms, 0))::integer);
end $$;
