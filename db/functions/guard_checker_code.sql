-- A code is sold once, to one order, and is never deleted. What it is and what it cost stay; it may be encrypted anew under another key. One that is
-- sold is not taken back, and one that is faulty or taken back is not sold.
create or replace function guard_checker_code() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'code % cannot be deleted', old.id using errcode = 'DW013';
  end if;
  if (new.id, new.import_id, new.kind, new.serial_hash, new.pin_hash, new.tail, new.unit_cost_pesewas)
    is distinct from (old.id, old.import_id, old.kind, old.serial_hash, old.pin_hash, old.tail, old.unit_cost_pesewas) then
    raise exception 'what code % is cannot be changed', old.id using errcode = 'DW013';
  end if;
  if old.order_id is not null and (new.order_id, new.n, new.sold_at, new.replaces_id)
    is distinct from (old.order_id, old.n, old.sold_at, old.replaces_id) then
    raise exception 'code % was sold already', old.id using errcode = 'DW013';
  end if;
  if old.order_id is null and new.order_id is not null and (old.voided_at is not null or old.taken_back_at is not null) then
    raise exception 'code % is not for sale', old.id using errcode = 'DW013';
  end if;
  if (old.voided_at is not null and (new.voided_at, new.voided_by, new.void_reason) is distinct from (old.voided_at, old.voided_by, old.void_reason))
    or (old.taken_back_at is not null and new.taken_back_at is distinct from old.taken_back_at) then
    raise exception 'code % was taken out of the stock for good', old.id using errcode = 'DW013';
  end if;
  return new;
end $$;
