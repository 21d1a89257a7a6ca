-- The prices that an owner has agreed to last. What others change is measured by these: many small falls are one large one, and a package
-- that was deleted and made again is not a new one.
set local lock_timeout = '3s';
create table agreed_prices (
  network text not null,
  offer text not null,
  price_customer_pesewas bigint not null constraint agreed_prices_customer_more_than_nothing check (price_customer_pesewas > 0),
  price_agent_pesewas bigint not null constraint agreed_prices_agent_more_than_nothing check (price_agent_pesewas > 0),
  agreed_at timestamptz not null,
  primary key (network, offer)
);
insert into agreed_prices (network, offer, price_customer_pesewas, price_agent_pesewas, agreed_at)
select p.network, k.offer, max(k.price_customer_pesewas), max(k.price_agent_pesewas), now()
from packages k join products p on p.id = k.product_id group by p.network, k.offer;

alter table approvals drop constraint approvals_action_check,
  add constraint approvals_action_check check (action in ('wallet.credit', 'wallet.debit', 'recharge.approve', 'payment.credit', 'prices.publish'));
