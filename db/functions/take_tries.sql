-- until: 0.3
-- Version 0.2 calls take_attempts by this name.
create or replace function take_tries(p_buckets text[], p_sizes integer[], p_every_ms integer[], p_costs integer[], p_now timestamptz)
returns integer language sql as $$
  select take_attempts(p_buckets, p_sizes, p_every_ms, p_costs, p_now)
$$;
