-- Takes `costs[i]` attempts from each bucket, or none from any when one lacks them; a cost of 0 only checks. Bucket i holds
-- `sizes[i]` attempts and regains one every `every_ms[i]`. Returns 0, or the milliseconds to wait.
create or replace function take_attempts(p_names text[], p_sizes integer[], p_every_ms integer[], p_costs integer[], p_now timestamptz)
returns integer language plpgsql as $$
declare
  bucket record;
  found timestamptz;
  wait interval := interval '0';
begin
  -- Lock in order of name, so that concurrent calls cannot deadlock.
  for bucket in
    select * from unnest(p_names, p_sizes, p_every_ms) as t (name, size, every_ms) order by name
  loop
    insert into rate_limit_buckets as kept (name, empty_at) values (bucket.name, p_now)
      on conflict (name) do update set empty_at = case
        -- Filled before the clock was set back: it counts as unused.
        when kept.empty_at > p_now + bucket.size * bucket.every_ms * interval '1 millisecond' + interval '1 minute' then p_now
        else kept.empty_at end
      returning empty_at into found;
    wait := greatest(wait, found - p_now - (bucket.size - 1) * bucket.every_ms * interval '1 millisecond');
  end loop;
  if wait <= interval '0' then
    update rate_limit_buckets kept set empty_at = greatest(empty_at, p_now) + cost * every_ms * interval '1 millisecond'
    from unnest(p_names, p_every_ms, p_costs) as t (name, every_ms, cost) where kept.name = t.name and cost > 0;
  end if;
  -- Delete last, and skip locked rows, so that nobody waits for this.
  delete from rate_limit_buckets where name in
    (select name from rate_limit_buckets where empty_at < p_now - interval '1 hour' order by empty_at limit 5 for update skip locked);
  return greatest(ceil(extract(epoch from wait) * 1000), 0)::integer;
end $$;
