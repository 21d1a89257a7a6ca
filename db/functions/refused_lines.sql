-- Expands the refused lines stored in idempotency_keys to the form that price_lines returned.
create or replace function refused_lines(p_items jsonb, p_lines text) returns jsonb language sql stable as $$
  select jsonb_agg(
    jsonb_build_object('index', at, 'code', case when price is null then 'NOT_AVAILABLE' else 'PRICE_CHANGED' end, 'offer', item ->> 'offer',
      'network', coalesce(item ->> 'network', p.network))
    || case when sold_out then '{"soldOut": true}' when price is null then '{}' else jsonb_build_object('pricePesewas', price) end
    order by place
  )
  from unnest(string_to_array(p_lines, ' ')) with ordinality line (code, place),
    lateral (select split_part(code, ':', 1)::integer as at, nullif(nullif(split_part(code, ':', 2), ''), 'sold-out')::bigint as price,
      split_part(code, ':', 2) = 'sold-out' as sold_out) refused,
    lateral (select p_items -> at as item) asked
    left join lateral (select network from products where id = (item ->> 'product')::uuid) p on true
$$;
