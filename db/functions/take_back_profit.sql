-- Ends the agent's part of a shop's order that is being refunded. What was released is taken back from the earnings as far as they go; the
-- rest is the agent's debt. Returns the accounts and amounts for the order's refund entry: nothing before a delivery.
create or replace function take_back_profit(p_order uuid, p_now timestamptz, out accounts bigint[], out amounts bigint[]) language plpgsql as $$
declare
  share profit_shares;
  wallet wallets;
  taken bigint;
begin
  accounts := array[]::bigint[];
  amounts := array[]::bigint[];
  select * into strict share from profit_shares where order_id = p_order for update;
  if share.ended_at is not null then
    raise exception 'the profit of order % has ended before', p_order using errcode = 'DW010';
  end if;
  update profit_shares set ended_at = p_now where order_id = p_order;
  if share.released_at is null then
    return;
  end if;
  select * into strict wallet from wallets where shop_id = share.shop_id for update;
  taken := least(wallet.balance_pesewas, share.profit_pesewas);
  if taken > 0 then
    accounts := accounts || wallet.account_id;
    amounts := amounts || -taken;
  end if;
  if share.profit_pesewas > taken then
    update wallets set debt_pesewas = debt_pesewas + share.profit_pesewas - taken where account_id = wallet.account_id;
    accounts := accounts || 19::bigint;
    amounts := amounts || -(share.profit_pesewas - taken);
  end if;
end $$;
