-- Adds attempts to a bucket afterwards, up to its size, or gives them back.
create or replace function settle_tries(p_bucket text, p_size integer, p_every_ms integer, p_cost integer, p_now timestamptz)
returns void language sql as $$
  insert into tries as kept (bucket, empty_at) values (p_bucket, p_now + greatest(p_cost, 0) * p_every_ms * interval '1 millisecond')
  on conflict (bucket) do update set empty_at = least(
    greatest(kept.empty_at, p_now) + p_cost * p_every_ms * interval '1 millisecond',
    p_now + p_size * p_every_ms * interval '1 millisecond')
$$;
