-- Gives the agent their part of a shop's order that is being delivered: what they owe is repaid first, the rest is theirs to withdraw. Once,
-- and never for an order that was refunded. Returns the accounts and amounts for the order's delivery entry.
create or replace function release_profit(p_order uuid, p_now timestamptz, out accounts bigint[], out amounts bigint[]) language plpgsql as $$
declare
  share profit_shares;
  wallet wallets;
  repaid bigint;
begin
  select * into strict share from profit_shares where order_id = p_order for update;
  if share.released_at is not null or share.ended_at is not null then
    raise exception 'the profit of order % was released or has ended before', p_order using errcode = 'DW010';
  end if;
  select * into strict wallet from wallets where shop_id = share.shop_id for update;
  repaid := least(wallet.debt_pesewas, share.profit_pesewas);
  update profit_shares set released_at = p_now, repaid_pesewas = repaid where order_id = p_order;
  accounts := array[]::bigint[];
  amounts := array[]::bigint[];
  if repaid > 0 then
    update wallets set debt_pesewas = debt_pesewas - repaid where account_id = wallet.account_id;
    accounts := accounts || 19::bigint;
    amounts := amounts || repaid;
  end if;
  if share.profit_pesewas > repaid then
    accounts := accounts || wallet.account_id;
    amounts := amounts || share.profit_pesewas - repaid;
  end if;
end $$;
