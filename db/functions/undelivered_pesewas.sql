-- What of an order's price is still with the undelivered orders (account 8). Nothing for an order bought before that account existed.
create or replace function undelivered_pesewas(p_order uuid) returns bigint language sql stable as $$
  select coalesce(sum(p.amount_pesewas), 0)::bigint
  from journal_entries e join postings p on p.entry_id = e.id and p.account_id = 8
  where e.key in ('order:' || p_order, 'order-refund:' || p_order, 'delivery:' || p_order, 'refund-source:' || p_order)
$$;
