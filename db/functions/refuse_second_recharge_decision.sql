create or replace function refuse_second_recharge_decision() returns trigger language plpgsql as $$
begin
  -- A wrong decline may be reopened. What was approved stays approved.
  if old.status <> 'pending' and not (old.status = 'declined' and new.status = 'pending' and new.decided_at is null) then
    raise exception 'recharge % was decided already', old.recharge_id using errcode = 'DW005';
  end if;
  if (new.user_id, new.amount_pesewas, new.recharge_id) is distinct from (old.user_id, old.amount_pesewas, old.recharge_id) then
    raise exception 'what was asked for in recharge % cannot be changed', old.recharge_id using errcode = 'DW005';
  end if;
  return new;
end $$;
