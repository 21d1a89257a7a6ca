-- The newest orders that order_search lacks. A transaction may take its number early and commit after thousands of later
-- ones, so a wide margin below the newest indexed number is checked again; index_late_orders finds even later ones each
-- night.
create or replace view orders_not_searchable as
  select o.seq, o.network, o.status, order_words(o, u) as words from orders o join users u on u.id = o.user_id
  where o.seq > (select coalesce(max(seq), 0) - 10000 from order_search)
    and not exists (select from order_search s where s.seq = o.seq);
