-- Gives the agent their part of a shop's order that is being delivered, and a sub-agent's agent theirs: what each owes is repaid first, the rest is
-- theirs to withdraw. Once, and never for an order that was refunded. Returns the accounts and amounts for the order's delivery entry.
create or replace function release_profit(p_order uuid, p_now timestamptz, out accounts bigint[], out amounts bigint[]) language plpgsql as $$
declare
  share record;
  wallet wallets;
  repaid bigint;
  all_repaid bigint := 0;
begin
  select * into strict share from profit_shares where order_id = p_order for update;
  if share.released_at is not null or share.ended_at is not null then
    raise exception 'the profit of order % was released or has ended before', p_order using errcode = 'DW010';
  end if;
  accounts := array[]::bigint[];
  amounts := array[]::bigint[];
  -- Both wallets in the order of their accounts, as everything that locks several.
  for share in
    select s.*, w.account_id from (
      select shop_id, profit_pesewas, false as is_commission from profit_shares where order_id = p_order
      union all select shop_id, profit_pesewas, true from commissions where order_id = p_order
    ) s join wallets w on w.shop_id = s.shop_id order by w.account_id
  loop
    select * into strict wallet from wallets where account_id = share.account_id for update;
    repaid := least(wallet.debt_pesewas, share.profit_pesewas);
    if share.is_commission then
      update commissions set released_at = p_now, repaid_pesewas = repaid where order_id = p_order;
    else
      update profit_shares set released_at = p_now, repaid_pesewas = repaid where order_id = p_order;
    end if;
    if repaid > 0 then
      update wallets set debt_pesewas = debt_pesewas - repaid where account_id = wallet.account_id;
      all_repaid := all_repaid + repaid;
    end if;
    if share.profit_pesewas > repaid then
      accounts := accounts || wallet.account_id;
      amounts := amounts || share.profit_pesewas - repaid;
    end if;
  end loop;
  if all_repaid > 0 then
    accounts := accounts || 19::bigint;
    amounts := amounts || all_repaid;
  end if;
end $$;
