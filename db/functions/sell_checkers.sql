-- Hands out the codes of those of the orders that are sold from the stock, oldest first, and completes these orders. The caller has found with
-- short_of_checkers, in this transaction, that there are enough. Returns how many orders it completed.
create or replace function sell_checkers(p_orders uuid[], p_now timestamptz) returns integer language plpgsql as $$
declare
  need record;
  given bigint;
  done integer;
begin
  for need in
    select m.kind, sum(m.units) as units from orders o join checker_packages m on m.product_id = o.product_id and m.offer = o.offer
    where o.id = any (p_orders) group by m.kind order by m.kind
  loop
    with free as materialized (
      select id, row_number() over (order by id) as place from (
        select id from checker_codes
        where kind = need.kind and order_id is null and voided_at is null and taken_back_at is null
        order by id limit need.units for update skip locked
      ) held
    ), wanted as materialized (
      select o.id, n, row_number() over (order by o.seq, n) as place
      from orders o join checker_packages m on m.product_id = o.product_id and m.offer = o.offer, generate_series(1, m.units) n
      where o.id = any (p_orders) and m.kind = need.kind
    )
    update checker_codes c set order_id = wanted.id, n = wanted.n, sold_at = p_now
    from wanted join free using (place) where c.id = free.id;
    get diagnostics given = row_count;
    if given <> need.units then
      raise exception 'there are too few % checkers', need.kind;
    end if;
  end loop;
  with handed_over as (
    update orders o set status = 'completed', decided_at = p_now
    where o.id = any (p_orders) and exists (select from checker_packages m where m.product_id = o.product_id and m.offer = o.offer)
    returning id, seq
  ), noted as (
    -- As every decision: nobody made this one.
    insert into admin_actions (action, subject_type, subject_id, before, after, note, created_at)
    select 'order.completed', 'order', id, '{"status": "pending"}', '{"status": "completed"}', 'Handed over from the stock.', p_now
    from handed_over order by seq returning id
  )
  select count(*) into done from noted;
  return done;
end $$;
