-- Sets how much of an order's profit, or of the commission on it, is undone. It comes from the earnings as far as they go, and the rest is the
-- agent's debt; what is given back repays the debt first. The losses of payments (17) are smaller by what agents bear.
create or replace function undo_profit(
  p_payment text, p_effect text, p_order uuid, p_account bigint, p_caused bigint, p_undone bigint, p_now timestamptz
) returns void language plpgsql as $$
declare
  wallet wallets;
  change bigint;
  owed bigint;
  counted integer;
begin
  select p_undone - coalesce(sum(undone_pesewas), 0), coalesce(max(times), 0) + 1 into change, counted
  from undone_effects where payment_reference = p_payment and effect = p_effect and order_id = p_order;
  if change = 0 then
    return;
  end if;
  insert into undone_effects (payment_reference, effect, order_id, caused_pesewas, undone_pesewas, times, changed_at)
  values (p_payment, p_effect, p_order, p_caused, p_undone, counted, p_now)
  on conflict (payment_reference, effect, order_id) do update set undone_pesewas = p_undone, times = counted, changed_at = p_now;
  select * into strict wallet from wallets where account_id = p_account for update;
  owed := case when change > 0 then greatest(0, change - wallet.balance_pesewas) else -least(-change, wallet.debt_pesewas) end;
  if owed <> 0 then
    update wallets set debt_pesewas = debt_pesewas + owed where account_id = p_account;
  end if;
  perform post_entry(p_effect || '-undone:' || p_order || ':' || counted, 'effect-undone',
    case when change > 0 then 'The payment of an order went back to its payer' else 'The payment of an order came back from its payer' end, null,
    array[17] || case when change <> owed then array[p_account] else '{}' end || case when owed <> 0 then array[19::bigint] else '{}' end,
    array[change] || case when change <> owed then array[owed - change] else '{}' end || case when owed <> 0 then array[-owed] else '{}' end, p_now);
end $$;
