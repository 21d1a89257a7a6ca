create or replace function index_new_orders() returns void language sql as $$
  insert into order_search (seq, words)
  select seq, words from orders_not_searchable order by seq limit 20000
  on conflict (seq) do nothing
$$;
