-- What of a disputed payment is kept out of the wallets that got it, in account 25, until the bank has decided. A row stays; each change of
-- a payment's rows is one entry of the ledger, by the number `times`.
set local lock_timeout = '3s';
insert into accounts (id, code) values (25, 'disputed-money') on conflict (id) do nothing;

create table disputed_money (
  payment_reference text not null references payments (reference),
  account_id bigint not null references accounts (id),
  pesewas bigint not null constraint disputed_money_not_below_zero check (pesewas >= 0),
  times integer not null constraint disputed_money_counted check (times > 0),
  primary key (payment_reference, account_id)
);
create index disputed_money_account on disputed_money (account_id) where pesewas > 0;

-- The orders from a wallet that the money of a disputed payment has paid for: they wait for the bank, and their refund makes good its loss first.
create table disputed_orders (
  order_id uuid primary key references orders (id),
  payment_reference text not null references payments (reference)
);
create index disputed_orders_payment on disputed_orders (payment_reference);
