-- What shops keep of orders: of their own, and of those of their sub-agents.
create or replace view shop_profits as
  select order_id, shop_id, profit_pesewas, repaid_pesewas, sold_at, released_at, ended_at from profit_shares
  union all
  select order_id, shop_id, profit_pesewas, repaid_pesewas, sold_at, released_at, ended_at from commissions;
