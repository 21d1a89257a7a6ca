-- Takes `costs[i]` attempts from each bucket, or none from any when one lacks them; a cost of 0 only checks. Bucket i holds
-- `sizes[i]` attempts and regains one every `every_ms[i]`. Returns 0, or the milliseconds to wait.
create or replace function take_tries(p_buckets text[], p_sizes integer[], p_every_ms integer[], p_costs integer[], p_now timestamptz)
returns integer language plpgsql as $$
declare
  tried record;
  found timestamptz;
  wait interval := interval '0';
begin
  -- Lock in order of name, so that concurrent calls cannot deadlock.
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
  -- Delete last, and skip locked rows, so that nobody waits for this.
  delete from tries where bucket in
    (select bucket from tries where empty_at < p_now - interval '1 hour' order by empty_at limit 5 for update skip locked);
  return greatest(ceil(extract(epoch from wait) * 1000), 0)::integer;
end $$;
