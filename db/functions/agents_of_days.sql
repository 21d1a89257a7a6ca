-- What each agent bought from one day to another, both included, as agent_lists keeps it.
create or replace function agents_of_days(p_from date, p_to date)
  returns table (network text, supplier text, best bytea, others bytea, others_most bigint, others_least bigint) language sql stable as $$
  with bought as (
    select t.network, t.supplier, u.seq::integer as seq, sum(t.orders)::integer as orders, sum(t.sales_pesewas - t.refunded_pesewas)::bigint as net,
      row_number() over (partition by t.network, t.supplier order by sum(t.sales_pesewas - t.refunded_pesewas) desc, u.seq) as place
    from delivery_totals t join users u on u.id = t.agent_id where t.day between p_from and p_to
    group by grouping sets ((t.network, t.supplier, u.seq), (u.seq))
  )
  select network, supplier, string_agg(packed, '' order by place) filter (where place <= 400),
    coalesce(string_agg(packed, '' order by place) filter (where place > 400), ''),
    coalesce(max(net) filter (where place > 400), 0), coalesce(min(net) filter (where place > 400), 0)
  from (select *, int4send(seq) || int4send(orders) || int8send(net) as packed from bought) packed group by network, supplier
$$;
