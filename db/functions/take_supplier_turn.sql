-- Reserves a call to an endpoint: returns 0 when it may be made at once, else the milliseconds to wait. New callers queue
-- behind those already promised a time in the same lane; a caller returning at its time (p_waited) takes the next free slot.
-- A minute counts as 61 seconds, since calls arrive slightly later than they begin.
create or replace function take_supplier_turn(p_supplier text, p_endpoint text, p_per_minute integer, p_waited boolean, p_urgent boolean)
returns integer language plpgsql as $$
declare
  calls supplier_calls;
  at timestamptz;
  free_at timestamptz;
  promised timestamptz;
begin
  insert into supplier_calls (supplier, endpoint) values (p_supplier, p_endpoint) on conflict do nothing;
  select * into calls from supplier_calls where supplier = p_supplier and endpoint = p_endpoint for update;
  at := clock_timestamp();
  -- The clock was set back: the times before are worth nothing.
  if calls.recent[cardinality(calls.recent)] > at + interval '1 minute' then
    update supplier_calls set recent = '{}', promised_at = at, urgent_promised_at = at
    where supplier = p_supplier and endpoint = p_endpoint returning * into calls;
  end if;
  promised := case when p_urgent then calls.urgent_promised_at else calls.promised_at end;
  calls.recent := array(select call from unnest(calls.recent) call where call > at - interval '61 seconds' order by call);
  free_at := case when cardinality(calls.recent) < p_per_minute then at
    else calls.recent[cardinality(calls.recent) - p_per_minute + 1] + interval '61 seconds' end;
  if free_at <= at and (p_waited or promised <= at) then
    update supplier_calls set recent = calls.recent || at where supplier = p_supplier and endpoint = p_endpoint;
    return 0;
  end if;
  if not p_waited then
    free_at := greatest(free_at, promised + interval '60 seconds' / p_per_minute);
    update supplier_calls set promised_at = case when p_urgent then promised_at else free_at end,
      urgent_promised_at = case when p_urgent then free_at else urgent_promised_at end
    where supplier = p_supplier and endpoint = p_endpoint;
  end if;
  return greatest(ceil(extract(epoch from free_at - at) * 1000)::integer, 1);
end $$;
