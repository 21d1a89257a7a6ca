-- Undoes an upgrade to Agent as far as its fee is lost. A part of the fee that went back leaves the level, since the shop has kept
-- the rest for it. It goes when all of the fee is lost, unless another payment has bought it or somebody of the shop has set it since, and comes
-- back with the first part of the fee that does.
create or replace function undo_upgrade(p_payment payments, p_now timestamptz) returns void language plpgsql as $$
declare
  target bigint := case when p_payment.status = 'paid' then least(p_payment.price_pesewas, p_payment.loss_pesewas) else 0 end;
  note text := 'Agent upgrade, reference ' || p_payment.reference;
  undone bigint;
  counted integer;
  became text;
  latest admin_actions;
begin
  select coalesce(sum(undone_pesewas), 0), coalesce(max(times), 0) + 1 into undone, counted
  from undone_effects where payment_reference = p_payment.reference and effect = 'upgrade';
  if target = undone then
    return;
  end if;
  insert into undone_effects (payment_reference, effect, caused_pesewas, undone_pesewas, times, changed_at)
  values (p_payment.reference, 'upgrade', p_payment.price_pesewas, target, counted, p_now)
  on conflict (payment_reference, effect, order_id) do update set undone_pesewas = target, times = counted, changed_at = p_now;
  perform post_entry('upgrade-undone:' || p_payment.reference || ':' || counted, 'effect-undone',
    note || case when target > undone then ': the fee went back to its payer' else ': the fee came back from its payer' end, null,
    array[3, 17]::bigint[], array[undone - target, target - undone], p_now);

  select * into latest from admin_actions where action = 'user.level' and subject_type = 'user' and subject_id = p_payment.user_id::text order by id desc limit 1;
  if target = p_payment.price_pesewas and not exists (
    select from payments m where m.user_id = p_payment.user_id and m.purpose = 'agent-upgrade' and m.status = 'paid'
      and m.loss_pesewas < m.price_pesewas and m.reference <> p_payment.reference
  ) and (latest.id is null or latest.created_at <= p_payment.settled_at or latest.actor_id is null or latest.actor_id = p_payment.user_id) then
    update users set level = 'Customer' where id = p_payment.user_id and level = 'Agent' returning level into became;
  elsif target < p_payment.price_pesewas and latest.actor_id is null and latest.note = note then
    update users set level = 'Agent' where id = p_payment.user_id and level = 'Customer' returning level into became;
  end if;
  -- Or they would work again for whoever has them, once the user is an agent again.
  if became = 'Customer' then
    update api_keys set ended_at = p_now where user_id = p_payment.user_id and ended_at is null;
  end if;
  if became is not null then
    insert into admin_actions (actor_id, action, subject_type, subject_id, before, after, note, created_at)
    values (null, 'user.level', 'user', p_payment.user_id::text, jsonb_build_object('level', case became when 'Agent' then 'Customer' else 'Agent' end),
      jsonb_build_object('level', became), note, p_now);
  end if;
end $$;
