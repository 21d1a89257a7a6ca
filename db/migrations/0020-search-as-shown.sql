-- Searches find what the screens show: amounts with their sign, the buyer's phone number, the shop's own order number, and
-- when an order was decided.

-- These two functions are here and not in db/functions because indexes store their results: whoever changes one must
-- rebuild the indexes below. They are immutable because they depend on no setting of the session.
create function shown_time(at timestamptz) returns text language sql immutable parallel safe as $$
  select to_char(at at time zone 'UTC', 'DD/MM/YYYY HH24:MI:SS')
$$;

create function shown_amount(pesewas bigint) returns text language sql immutable parallel safe as $$
  select '¢' || (pesewas / 100.0)::numeric(20, 2)::text
$$;

-- Databases made before db/functions existed have an order_words with other arguments.
drop function if exists index_new_orders();
drop view if exists orders_not_searchable;
drop function if exists order_words(orders);

-- The words that db/functions/order_words.sql gives new orders.
update order_search s set words = concat_ws(' ', o.seq::text, u.username, u.phone, o.network, o.receiver, o.offer, o.reference,
  o.payment_reference, shown_time(o.created_at), shown_amount(o.price_pesewas),
  case when o.surcharge_pesewas > 0 then shown_amount(o.price_pesewas + o.surcharge_pesewas) end)
from orders o join users u on u.id = o.user_id where o.seq = s.seq;

-- The decision comes after the order was indexed, so its time has an index of its own.
create index orders_decided_words on orders using gin (shown_time(decided_at) gin_trgm_ops) where decided_at is not null;

create index recharges_words on recharges
  using gin ((recharge_id || ' ' || shown_time(created_at) || ' ' || shown_amount(amount_pesewas)) gin_trgm_ops);
