-- The newest orders that order_search lacks. A transaction may take its number early and commit after thousands of later
-- ones, so a wide margin below the newest indexed number is checked again; index_late_orders finds even later ones each
-- night. The numbers are compared first, since usually a few are left of them, whose words are then made.
create or replace view orders_not_searchable as
  select o.seq, o.network, o.status, order_words(o, u) as words from orders o left join users u on u.id = o.user_id
  where o.seq = any (array(
    select seq from orders where seq > (select coalesce(max(seq), 0) - 10000 from order_search)
    except select seq from order_search where seq > (select coalesce(max(seq), 0) - 10000 from order_search)));
