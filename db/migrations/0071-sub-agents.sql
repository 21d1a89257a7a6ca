-- An agent's sub-agents: customers who sell in a shop of their own, at a cost that their agent sets.
set local lock_timeout = '3s';

alter table agent_shop_rules
  add column sub_agents boolean not null default false,
  add column most_sub_agents integer not null default 10 constraint agent_shop_rules_most_sub_agents check (most_sub_agents between 1 and 1000);

-- A link for one customer, until it is used or withdrawn.
create table sub_agent_invitations (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity unique,
  shop_id uuid not null references agent_shops,
  code text not null unique check (code ~ '^[a-z2-9]{24}$'),
  created_at timestamptz not null,
  withdrawn_at timestamptz,
  used_at timestamptz,
  check (withdrawn_at is null or used_at is null)
);
create index sub_agent_invitations_open on sub_agent_invitations (shop_id, seq) where withdrawn_at is null and used_at is null;

-- Who is whose sub-agent. A row ends and is never changed otherwise, so nobody is moved to another agent.
create table sub_agents (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity unique,
  -- The agent's shop.
  shop_id uuid not null references agent_shops,
  user_id uuid not null references users,
  invitation_id uuid not null unique references sub_agent_invitations,
  joined_at timestamptz not null,
  ended_at timestamptz,
  ended_by uuid references users,
  check ((ended_at is null) = (ended_by is null))
);
create unique index sub_agents_of_user on sub_agents (user_id) where ended_at is null;
create index sub_agents_of_shop on sub_agents (shop_id, seq);
create index sub_agents_by_user on sub_agents (user_id, seq);

-- What sub-agents pay the agent for a package, where the agent has said so.
create table sub_agent_prices (
  shop_id uuid not null references agent_shops,
  product_id uuid not null references products on delete cascade,
  offer text not null,
  price_pesewas bigint not null check (price_pesewas > 0),
  changed_at timestamptz not null,
  primary key (shop_id, product_id, offer)
);
create index sub_agent_prices_product on sub_agent_prices (product_id);

-- What the agent keeps of an order in a sub-agent's shop: the sub-agent's cost, which that order's profit share has, less the agent's.
-- Cost and floor are those of the moment of the purchase.
create table commissions (
  order_id uuid primary key references profit_shares on delete cascade,
  seq bigint generated always as identity unique,
  -- The agent's shop, and the one that sold.
  shop_id uuid not null references agent_shops,
  sold_in uuid not null references agent_shops,
  price_pesewas bigint not null,
  cost_pesewas bigint not null check (cost_pesewas > 0),
  floor_pesewas bigint not null check (floor_pesewas > cost_pesewas),
  profit_pesewas bigint generated always as (price_pesewas - cost_pesewas) stored,
  repaid_pesewas bigint not null default 0,
  sold_at timestamptz not null,
  released_at timestamptz,
  ended_at timestamptz,
  constraint commissions_in_bounds check (price_pesewas >= floor_pesewas),
  constraint commissions_repaid check (repaid_pesewas between 0 and price_pesewas - cost_pesewas),
  check (shop_id <> sold_in)
);
create index commissions_of_shop on commissions (shop_id, seq);
create index commissions_sold on commissions (shop_id, sold_in, sold_at);
create index commissions_released on commissions (shop_id, released_at) where released_at is not null;
