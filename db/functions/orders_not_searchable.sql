-- The newest orders that order_search lacks. A transaction that took its number early may commit after thousands of later
-- ones, so a wide margin before the newest known number is looked at again; each night finds whatever was later still.
create or replace view orders_not_searchable as
  select o.seq, o.network, o.status, order_words(o, u) as words from orders o join users u on u.id = o.user_id
  where o.seq > (select coalesce(max(seq), 0) - 10000 from order_search)
    and not exists (select from order_search s where s.seq = o.seq);
