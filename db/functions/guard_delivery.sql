create or replace function guard_delivery() returns trigger language plpgsql as $$
declare
  restarted boolean;
begin
  -- Sent again, because of a report or by an admin: under a new reference, once the supplier is done with the old one.
  if new.reference <> old.reference then
    restarted := exists (select from delivery_restarts r join orders o on o.id = r.order_id where r.order_id = old.order_id
      and r.reference = new.reference and r.to_supplier = new.supplier and (r.from_reference, r.from_status) = (old.reference, old.status)
      and o.status = 'pending'
      -- By itself it never goes back to who refused it, nor on from a supplier that may have had it.
      and (r.restarted_by is not null or ((old.resent = 0 or old.status = 'failed') and not exists (select from delivery_restarts b
        where b.order_id = old.order_id and b.from_supplier = new.supplier and b.from_status in ('rejected', 'failed')))));
    if not (restarted and (old.status in ('waiting', 'rejected', 'failed', 'cancelled') or (old.status = 'unknown' and old.not_found >= 2)))
      and not (old.status in ('rejected', 'delivered', 'failed', 'cancelled') and new.supplier = old.supplier
        and exists (select from reports where order_id = old.order_id and status = 'resent' and resend_reference = new.reference))
      or (new.order_id, new.volume_mb, new.airtime_operator, new.airtime_pesewas, new.not_found_apart_ms)
        is distinct from (old.order_id, old.volume_mb, old.airtime_operator, old.airtime_pesewas, old.not_found_apart_ms)
      or (new.status, new.attempts, new.resent, new.asked, new.not_found) <> ('waiting', 0, 0, 0, 0)
      or coalesce(new.not_found_at, new.sent_at, new.accepted_at, new.delivered_at) is not null
      or new.supplier_reference is not null then
      raise exception 'what was ordered from the supplier for order % cannot be changed', old.order_id using errcode = 'DW006';
    end if;
    return new;
  end if;
  if (new.order_id, new.reference, new.supplier, new.volume_mb, new.airtime_operator, new.airtime_pesewas, new.not_found_apart_ms)
    is distinct from (old.order_id, old.reference, old.supplier, old.volume_mb, old.airtime_operator, old.airtime_pesewas, old.not_found_apart_ms) then
    raise exception 'what was ordered from the supplier for order % cannot be changed', old.order_id using errcode = 'DW006';
  end if;
  if new.status = 'sending' and not (old.status = 'waiting' or (old.status = 'unknown' and old.not_found >= 2)) then
    raise exception 'order % is % at the supplier and cannot be sent', old.order_id, old.status using errcode = 'DW006';
  end if;
  -- Taken back from a supplier that may have it: only by an admin who looked on its portal, after it was twice not found.
  if old.status = 'unknown' and new.status = 'cancelled' and not (old.not_found >= 2 and exists (select from delivery_restarts
      where order_id = old.order_id and to_supplier is null and (from_reference, from_status) = (old.reference, 'unknown'))) then
    raise exception 'order % may be at the supplier and cannot be cancelled', old.order_id using errcode = 'DW006';
  end if;
  -- Count each "not found" answer once, and only if it came long enough after the one before.
  if new.not_found > old.not_found then
    if new.not_found > old.not_found + 1
      or clock_timestamp() < old.not_found_at + old.not_found_apart_ms * interval '1 millisecond' then
      raise exception 'order % was not found too soon after the last time', old.order_id using errcode = 'DW006';
    end if;
    new.not_found_at := clock_timestamp();
  elsif new.not_found = old.not_found then
    new.not_found_at := old.not_found_at;
  elsif new.not_found = 0 then
    new.not_found_at := null;
  else
    raise exception 'order % was not found % times, which cannot become %', old.order_id, old.not_found, new.not_found using errcode = 'DW006';
  end if;
  -- The first time counts: a repeated answer changes updated_at only.
  if new.status in ('accepted', 'delivered') then
    new.accepted_at := coalesce(old.accepted_at, new.updated_at);
  end if;
  if new.status = 'delivered' then
    new.delivered_at := coalesce(old.delivered_at, new.updated_at);
  end if;
  return new;
end $$;
