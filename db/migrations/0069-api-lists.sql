-- A list that a test key bought has a name and counts as one; `first_order` numbers it. The balance is what the reply said.
alter table test_purchases
  add column balance_pesewas bigint,
  add column list_name text,
  add column first_order bigint,
  add constraint test_purchases_list check ((list_name is null) = (first_order is null));
create index test_purchases_lists on test_purchases (user_id, first_order desc) where first_order is not null;
alter table test_orders add column line integer;

-- What test keys pay with. It is no money: no posting and no wallet refers to it.
create table test_wallets (
  user_id uuid primary key references users,
  balance_pesewas bigint not null check (balance_pesewas >= 0)
);

create table test_movements (
  seq bigint generated always as identity primary key,
  user_id uuid not null references test_wallets,
  kind text not null check (kind in ('order', 'order-refund', 'top-up')),
  test_order bigint references test_orders on delete cascade,
  amount_pesewas bigint not null check (amount_pesewas <> 0),
  balance_after_pesewas bigint not null check (balance_after_pesewas >= 0),
  created_at timestamptz not null,
  unique (test_order, kind),
  check ((kind = 'top-up') = (test_order is null))
);
create index test_movements_user on test_movements (user_id, seq desc);
create index test_movements_created on test_movements (created_at);
