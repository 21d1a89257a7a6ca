-- Shops of agents, where guests buy without an account, and what the agents earn with them.
set local lock_timeout = '3s';

create table agent_shop_rules (
  singleton boolean primary key default true check (singleton),
  enabled boolean not null default true,
  new_shops boolean not null default false,
  -- In percent of the agent's cost.
  max_markup integer not null default 30 check (max_markup between 1 and 500),
  min_profit_pesewas bigint not null default 10 check (min_profit_pesewas between 1 and 10000)
);
insert into agent_shop_rules default values;

create table agent_shops (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity unique,
  owner_id uuid not null unique references users,
  -- The link that was given to customers, so it never changes.
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) between 3 and 30),
  host text unique check (host = lower(host) and length(host) between 4 and 100),
  host_approved_at timestamptz check (host is not null or host_approved_at is null),
  name text not null check (length(name) between 2 and 40),
  about text check (length(about) between 1 and 80),
  colour text not null check (colour in ('green', 'plum', 'blue', 'violet', 'rust', 'teal', 'charcoal', 'red')),
  logo_hash text references images,
  phone text check (phone ~ '^[0-9]{10}$'),
  whatsapp text check (whatsapp ~ '^[0-9]{10}$'),
  open boolean not null default true,
  closed_at timestamptz,
  closed_by uuid references users,
  closed_reason text check (length(closed_reason) between 3 and 200),
  max_markup integer check (max_markup between 1 and 500),
  created_at timestamptz not null,
  check ((closed_at is null) = (closed_reason is null) and (closed_at is null) = (closed_by is null))
);

-- By offer and not by package: a product that is saved anew has new packages. Without a row a package sells as the house does.
create table shop_prices (
  shop_id uuid not null references agent_shops,
  product_id uuid not null references products on delete cascade,
  offer text not null,
  price_pesewas bigint check (price_pesewas > 0),
  hidden boolean not null default false,
  changed_at timestamptz not null,
  primary key (shop_id, product_id, offer)
);
create index shop_prices_product on shop_prices (product_id);

-- What an agent earns is a wallet of its shop and belongs to no user's wallet. debt_pesewas is what a refund took back after the
-- profit was withdrawn; later profit repays it.
alter table wallets
  alter column user_id drop not null,
  add column shop_id uuid unique references agent_shops,
  add column debt_pesewas bigint not null default 0 constraint wallets_debt check (debt_pesewas >= 0),
  add constraint wallets_owner check ((user_id is null) <> (shop_id is null));

alter table journal_entries drop constraint journal_entries_kind_check;
alter table journal_entries add constraint journal_entries_kind_check check (kind in (
  'order', 'order-refund', 'admin-credit', 'admin-debit', 'recharge', 'card-payment', 'card-surcharge', 'agent-upgrade',
  'dispute-lost', 'dispute-recovered', 'card-refund', 'delivery', 'delivery-cost', 'provider-fee', 'guest-refund'
));
insert into accounts (id, code) values (9, 'guest-payments'), (15, 'refunds-pending'), (19, 'agent-debts') on conflict (id) do nothing;

-- A guest has no account: the order and the payment have the shop and the guest's phone number instead.
alter table orders
  alter column user_id drop not null,
  add column shop_id uuid references agent_shops,
  add column guest_phone text,
  -- The part of the price that is the agent's as soon as the order is delivered, so it never becomes the house's sales.
  add column agent_profit_pesewas bigint not null default 0,
  add constraint orders_agent_profit check (agent_profit_pesewas = 0 or (shop_id is not null and agent_profit_pesewas between 1 and price_pesewas - 1)),
  add constraint orders_buyer check ((user_id is null) = (guest_phone is not null) and (guest_phone is null or shop_id is not null));
alter table payments
  alter column user_id drop not null,
  add column shop_id uuid references agent_shops,
  add column guest_phone text,
  add constraint payments_payer check ((user_id is null) = (guest_phone is not null) and (guest_phone is null or shop_id is not null));
-- Sales go on while the rows there are looked at.
alter table orders validate constraint orders_agent_profit;
alter table orders validate constraint orders_buyer;
alter table payments validate constraint payments_payer;

create index payments_of_guest on payments (guest_phone) where guest_phone is not null;
-- What a guest says about an order has no user.
alter table report_messages alter column user_id drop not null;

-- What the agent keeps of an order of the shop. Cost, floor and ceiling are those of the moment of the purchase.
create table profit_shares (
  order_id uuid primary key references orders,
  seq bigint generated always as identity unique,
  shop_id uuid not null references agent_shops,
  price_pesewas bigint not null,
  cost_pesewas bigint not null check (cost_pesewas > 0),
  floor_pesewas bigint not null check (floor_pesewas > cost_pesewas),
  ceiling_pesewas bigint not null,
  profit_pesewas bigint generated always as (price_pesewas - cost_pesewas) stored,
  -- Of the profit, what went towards the debt as it was released.
  repaid_pesewas bigint not null default 0,
  sold_at timestamptz not null,
  released_at timestamptz,
  -- The order was refunded: before its delivery, or after it.
  ended_at timestamptz,
  constraint profit_shares_in_bounds check (price_pesewas between floor_pesewas and ceiling_pesewas),
  constraint profit_shares_repaid check (repaid_pesewas between 0 and price_pesewas - cost_pesewas)
);
create index profit_shares_of_shop on profit_shares (shop_id, seq);
create index profit_shares_sold on profit_shares (shop_id, sold_at);
create index profit_shares_released on profit_shares (shop_id, released_at) where released_at is not null;

-- Money that goes back to whoever paid without a wallet: for an order, or for a payment that bought nothing (no order).
create table refunds (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity unique,
  payment_reference text not null references payments,
  order_id uuid unique references orders,
  phone text not null check (phone ~ '^[0-9]{10}$'),
  amount_pesewas bigint not null check (amount_pesewas > 0),
  reason text not null,
  status text not null default 'due' check (status in ('due')),
  created_at timestamptz not null
);
create unique index refunds_of_payment on refunds (payment_reference) where order_id is null;
create index refunds_of_orders_payment on refunds (payment_reference);
