-- Counts attempts of a bucket afterwards, up to its size; a negative cost gives them back.
create or replace function settle_attempts(p_name text, p_size integer, p_every_ms integer, p_cost integer, p_now timestamptz)
returns void language sql as $$
  insert into rate_limit_buckets as kept (name, empty_at) values (p_name, p_now + greatest(p_cost, 0) * p_every_ms * interval '1 millisecond')
  on conflict (name) do update set empty_at = least(
    greatest(kept.empty_at, p_now) + p_cost * p_every_ms * interval '1 millisecond',
    p_now + p_size * p_every_ms * interval '1 millisecond')
$$;
