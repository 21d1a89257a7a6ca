create or replace function create_wallet(p_user uuid) returns bigint language plpgsql as $$
declare
  account bigint := nextval('wallet_account_ids');
begin
  insert into accounts (id, code) values (account, 'wallet:' || p_user);
  insert into wallets (account_id, user_id) values (account, p_user);
  return account;
end $$;
