-- Searches find what the screens show: amounts with their sign, the buyer's phone number, the shop's own order number, and
-- when an order was decided.

-- Declared immutable so that indexes can hold it: neither the session's time zone nor its date style has a part in it.
create function shown_time(at timestamptz) returns text language sql immutable parallel safe as $$
  select to_char(at at time zone 'UTC', 'DD/MM/YYYY HH24:MI:SS')
$$;

create function shown_amount(pesewas bigint) returns text language sql immutable parallel safe as $$
  select '¢' || (pesewas / 100.0)::numeric(20, 2)::text
$$;

drop function index_new_orders();
drop view orders_not_searchable;
drop function order_words(orders);

create function order_words(made orders, buyer users) returns text language sql stable as $$
  select concat_ws(' ', made.seq::text, buyer.username, buyer.phone, made.network, made.receiver, made.offer, made.reference,
    made.payment_reference, to_char(made.created_at at time zone 'UTC', 'DD/MM/YYYY HH24:MI:SS'), shown_amount(made.price_pesewas),
    case when made.surcharge_pesewas > 0 then shown_amount(made.price_pesewas + made.surcharge_pesewas) end)
$$;

-- The newest orders that order_search lacks. A transaction that took its number early may commit after thousands of later
-- ones, so a wide margin before the newest known number is looked at again; each night finds whatever was later still.
create view orders_not_searchable as
  select o.seq, o.network, o.status, order_words(o, u) as words from orders o join users u on u.id = o.user_id
  where o.seq > (select coalesce(max(seq), 0) - 10000 from order_search)
    and not exists (select from order_search s where s.seq = o.seq);

create function index_new_orders() returns void language sql as $$
  insert into order_search (seq, words)
  select seq, words from orders_not_searchable order by seq limit 20000
  on conflict (seq) do nothing
$$;

create function index_late_orders() returns void language sql as $$
  insert into order_search (seq, words)
  select o.seq, order_words(o, u) from orders o join users u on u.id = o.user_id
  where not exists (select from order_search s where s.seq = o.seq)
  on conflict (seq) do nothing
$$;

update order_search s set words = order_words(o, u) from orders o join users u on u.id = o.user_id where o.seq = s.seq;

-- When an order is decided, it is searchable long since; here the decision's time comes by itself.
create index orders_decided_words on orders using gin (shown_time(decided_at) gin_trgm_ops) where decided_at is not null;

create index recharges_words on recharges
  using gin ((recharge_id || ' ' || shown_time(created_at) || ' ' || shown_amount(amount_pesewas)) gin_trgm_ops);
