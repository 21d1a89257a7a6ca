-- Puts `costs[i]` tries into each bucket, or nothing into any when one of them is full; a bucket with the cost 0 is only
-- looked at. A bucket holds `sizes[i]` and leaks one every `every_ms[i]`. Returns 0, or the milliseconds to wait.
create or replace function take_tries(p_buckets text[], p_sizes integer[], p_every_ms integer[], p_costs integer[], p_now timestamptz)
returns integer language plpgsql as $$
declare
  tried record;
  found timestamptz;
  wait interval := interval '0';
begin
  -- In the order of their names, so that two that try at once never wait for one another.
  for tried in
    select * from unnest(p_buckets, p_sizes, p_every_ms) as t (bucket, size, every_ms) order by bucket
  loop
    insert into tries as kept (bucket, empty_at) values (tried.bucket, p_now)
      on conflict (bucket) do update set empty_at = kept.empty_at returning empty_at into found;
    wait := greatest(wait, found - p_now - (tried.size - 1) * tried.every_ms * interval '1 millisecond');
  end loop;
  if wait <= interval '0' then
    update tries set empty_at = greatest(empty_at, p_now) + cost * every_ms * interval '1 millisecond'
    from unnest(p_buckets, p_every_ms, p_costs) as t (named, every_ms, cost) where bucket = named and cost > 0;
  end if;
  -- Last, and of those alone that nobody holds: whoever deletes waits for nobody.
  delete from tries where bucket in
    (select bucket from tries where empty_at < p_now - interval '1 hour' order by empty_at limit 5 for update skip locked);
  return greatest(ceil(extract(epoch from wait) * 1000), 0)::integer;
end $$;
