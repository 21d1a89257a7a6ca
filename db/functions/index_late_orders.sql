create or replace function index_late_orders() returns void language sql as $$
  insert into order_search (seq, words)
  select o.seq, order_words(o, u) from orders o left join users u on u.id = o.user_id
  where not exists (select from order_search s where s.seq = o.seq)
  on conflict (seq) do nothing
$$;
