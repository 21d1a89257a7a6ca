-- Counts anew who bought in each of the four weeks up to their last order and has bought nothing for a week since, once a day. Reads the
-- orders of nine weeks by the blocks that order_totals have for those days.
create or replace function count_lapsed_buyers(p_now timestamptz) returns void language plpgsql as $$
declare
  today constant date := (p_now at time zone 'UTC')::date;
begin
  update insight_progress set lapsed_on = today where lapsed_on is distinct from today;
  if not found then
    return;
  end if;
  delete from lapsed_buyers;
  insert into lapsed_buyers (user_id, weekly_orders, last_order_at)
  with recent as (
    select user_id, created_at, max(created_at) over (partition by user_id) as last from orders
    where seq >= coalesce((select min(block) from order_totals where day between today - 63 and today) * 10000::bigint, 0)
      and created_at > p_now - interval '63 days' and status <> 'rejected' and user_id is not null
  ),
  weeks as (
    select user_id, last, floor(extract(epoch from last - created_at) / 604800) as week, count(*) as orders from recent
    where last < p_now - interval '7 days' and last > p_now - interval '35 days' and created_at > last - interval '28 days'
    group by user_id, last, week
  )
  select user_id, round(sum(orders) / 4.0), last from weeks group by user_id, last having count(*) = 4;
end $$;
