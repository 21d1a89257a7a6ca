-- until: 0.3
-- Version 0.2 calls settle_attempts by this name.
create or replace function settle_tries(p_bucket text, p_size integer, p_every_ms integer, p_cost integer, p_now timestamptz)
returns void language sql as $$
  select settle_attempts(p_bucket, p_size, p_every_ms, p_cost, p_now)
$$;
