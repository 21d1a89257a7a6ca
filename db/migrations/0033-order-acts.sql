set local lock_timeout = '3s';

-- Why an order was refunded, in words that its buyer reads. Null for most older ones, and where the shop gave no reason.
alter table orders add column refund_reason text check (length(refund_reason) between 3 and 200);

-- An order's receiver corrected with the buyer's consent. The newest is the order's receiver.
create table receiver_corrections (
  id bigint generated always as identity primary key,
  order_id uuid not null references orders,
  from_receiver text not null,
  to_receiver text not null check (to_receiver ~ '^[0-9]{10}$' and to_receiver <> from_receiver),
  -- Who agreed, and how.
  agreed_by text not null check (length(agreed_by) between 2 and 60),
  consent text not null check (consent in ('whatsapp', 'call', 'sms', 'in-person')),
  corrected_by uuid not null references users,
  corrected_at timestamptz not null
);

create index receiver_corrections_of_order on receiver_corrections (order_id, id);

-- An order that an admin sent again, to the same supplier or another, or took back to be sent by hand (`to_supplier` null).
-- `from_…` is what the delivery was until then. It is written before the delivery begins anew, which the database allows only so.
create table delivery_restarts (
  id bigint generated always as identity primary key,
  order_id uuid not null references orders,
  -- The new reference; null where a person sends it.
  reference text unique check (reference ~ '^[A-Za-z0-9]{6,25}$'),
  to_supplier text check ((to_supplier is null) = (reference is null)),
  from_supplier text not null,
  from_reference text not null,
  from_status text not null check (from_status in ('waiting', 'unknown', 'rejected', 'failed', 'cancelled')),
  from_sent_at timestamptz,
  from_accepted_at timestamptz,
  -- For an order whose outcome was unknown: the admin looked on the supplier's portal, and it was not there.
  looked_at_portal boolean not null,
  restarted_by uuid not null references users,
  restarted_at timestamptz not null,
  check (from_status <> 'unknown' or looked_at_portal)
);

create index delivery_restarts_of_order on delivery_restarts (order_id, id);

-- What a supplier said that was not simply "taken" and "delivered", for the order's timeline. The usual order leaves none.
create table delivery_events (
  id bigint generated always as identity primary key,
  order_id uuid not null references orders,
  supplier text not null,
  reference text not null,
  -- not-taken: it certainly has not the order, which is tried later. asked: what it said when asked about an unclear order.
  kind text not null check (kind in ('not-taken', 'unknown', 'asked', 'rejected', 'failed')),
  detail text not null,
  -- When the call began that this is the outcome of; null for an answer to a question.
  sent_at timestamptz,
  at timestamptz not null
);

create index delivery_events_of_order on delivery_events (order_id, id);
