-- What an order cost, and sales that count once they are delivered: a purchase puts its price into account 8, the delivery takes it
-- from there to the sales and books the cost. Orders bought before this are in the sales already.
set local lock_timeout = '3s';

insert into accounts (id, code) values
  (8, 'orders-undelivered'),
  (9, 'guest-payments'),
  (10, 'cost-of-sales'),
  (11, 'provider-fees'),
  (12, 'owner-funds'),
  (100, 'supplier:by-hand'),
  (101, 'supplier:hubnet'),
  (102, 'supplier:remadata');

alter table journal_entries drop constraint journal_entries_kind_check;
alter table journal_entries add constraint journal_entries_kind_check check (kind in (
  'order', 'order-refund', 'admin-credit', 'admin-debit', 'recharge', 'card-payment', 'card-surcharge', 'agent-upgrade',
  'dispute-lost', 'dispute-recovered', 'card-refund', 'delivery', 'delivery-cost', 'provider-fee'
));

alter table orders
  -- When it was completed; decided_at is later if it was refunded afterwards.
  add column completed_at timestamptz,
  -- Who delivered it, and what that cost the shop; null while the cost is not known. Fixed at the delivery (fix_delivery_cost).
  add column cost_supplier text,
  add column cost_pesewas bigint,
  add constraint orders_delivered check ((completed_at is null) = (cost_supplier is null)),
  add constraint orders_cost check (cost_pesewas is null or (cost_pesewas > 0 and completed_at is not null));

create index orders_without_cost on orders (product_id, offer, cost_supplier, seq) where completed_at is not null and cost_pesewas is null;

-- Deliveries by day, network, supplier and agent, kept as order_totals are. The agent is null for what customers and admins buy.
create table delivery_totals (
  day date not null,
  network text not null,
  supplier text not null,
  agent_id uuid,
  orders bigint not null,
  sales_pesewas bigint not null,
  cost_pesewas bigint not null,
  -- Of these: whose cost is not known.
  uncosted_orders bigint not null,
  uncosted_pesewas bigint not null,
  -- Delivered, and refunded on this day because of a report; of that, orders whose cost is not known.
  refunded_orders bigint not null,
  refunded_pesewas bigint not null,
  refunded_uncosted_pesewas bigint not null,
  constraint delivery_totals_of unique nulls not distinct (day, network, supplier, agent_id)
);

create table delivery_deltas (
  day date not null,
  network text not null,
  supplier text not null,
  agent_id uuid,
  orders integer not null default 0,
  sales_pesewas bigint not null default 0,
  cost_pesewas bigint not null default 0,
  uncosted_orders integer not null default 0,
  uncosted_pesewas bigint not null default 0,
  refunded_orders integer not null default 0,
  refunded_pesewas bigint not null default 0,
  refunded_uncosted_pesewas bigint not null default 0
);
