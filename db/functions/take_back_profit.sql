-- Ends the agent's part of a shop's order that is being refunded, and that of a sub-agent's agent. What was released is taken back from the earnings
-- of each as far as they go; the rest is their debt. Returns the accounts and amounts for the order's refund entry: nothing before a delivery.
create or replace function take_back_profit(p_order uuid, p_now timestamptz, out accounts bigint[], out amounts bigint[]) language plpgsql as $$
declare
  share record;
  wallet wallets;
  taken bigint;
  all_owed bigint := 0;
begin
  accounts := array[]::bigint[];
  amounts := array[]::bigint[];
  select * into strict share from profit_shares where order_id = p_order for update;
  if share.ended_at is not null then
    raise exception 'the profit of order % has ended before', p_order using errcode = 'DW010';
  end if;
  update profit_shares set ended_at = p_now where order_id = p_order;
  update commissions set ended_at = p_now where order_id = p_order;
  if share.released_at is null then
    return;
  end if;
  for share in
    select s.*, w.account_id, o.payment_reference from (
      select 'profit' as effect, shop_id, profit_pesewas from profit_shares where order_id = p_order
      union all select 'commission', shop_id, profit_pesewas from commissions where order_id = p_order
    ) s join wallets w on w.shop_id = s.shop_id join orders o on o.id = p_order order by w.account_id
  loop
    -- What the payment's loss had undone is given back first, so that all of it is taken back here, once.
    perform undo_profit(share.payment_reference, share.effect, p_order, share.account_id, share.profit_pesewas, 0, p_now);
    select * into strict wallet from wallets where account_id = share.account_id for update;
    taken := least(wallet.balance_pesewas, share.profit_pesewas);
    if taken > 0 then
      accounts := accounts || wallet.account_id;
      amounts := amounts || -taken;
    end if;
    if share.profit_pesewas > taken then
      update wallets set debt_pesewas = debt_pesewas + share.profit_pesewas - taken where account_id = wallet.account_id;
      all_owed := all_owed + share.profit_pesewas - taken;
    end if;
  end loop;
  if all_owed > 0 then
    accounts := accounts || 19::bigint;
    amounts := amounts || -all_owed;
  end if;
end $$;
