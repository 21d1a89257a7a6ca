-- The wallet of what an agent earns with a shop. It has no user, so nothing that spends a user's wallet finds it.
create or replace function create_shop_wallet(p_shop uuid) returns bigint language plpgsql as $$
declare
  account bigint := nextval('wallet_account_ids');
begin
  insert into accounts (id, code) values (account, 'earnings:' || p_shop);
  insert into wallets (account_id, shop_id) values (account, p_shop);
  return account;
end $$;
