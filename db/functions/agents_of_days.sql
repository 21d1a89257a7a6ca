-- What each agent bought from one day to another, both included, as agent_lists keeps it.
create or replace function agents_of_days(p_from date, p_to date) returns table (network text, supplier text, agents bytea) language sql stable as $$
  select network, supplier, string_agg(int4send(seq) || int4send(orders) || int8send(net), '' order by seq)
  from (
    select t.network, t.supplier, u.seq::integer as seq, sum(t.orders)::integer as orders, sum(t.sales_pesewas - t.refunded_pesewas)::bigint as net
    from delivery_totals t join users u on u.id = t.agent_id where t.day between p_from and p_to group by t.network, t.supplier, u.seq
  ) bought group by network, supplier
$$;
