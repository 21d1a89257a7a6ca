-- Adds up the newest p_most stale days and weeks that are over, and months, which the fold keeps up from then on; one counts as twenty days, so
-- that the statement ends in time. What is folded meanwhile makes its day stale again, since that row is locked first; one fold at a time
-- (foldTotals) is what the months rely on. Then the next p_most running totals of Insight.
create or replace function add_up_days(p_now timestamptz, p_most integer) returns void language plpgsql as $$
declare
  due stale_days;
  changed date;
  next_day date;
begin
  for due in
    delete from stale_days where (totals, day) in (
      select totals, day from stale_days
      where totals <> 'months' and day + case when totals in ('agents', 'packages') then 6 else 0 end < (p_now at time zone 'UTC')::date
      order by day desc, totals limit p_most for update
    ) or (totals, day) in (
      select totals, day from stale_days where totals = 'months' order by day desc limit greatest(p_most / 20, 1) for update
    ) returning *
  loop
    if due.totals = 'insight' then
      delete from insight_days where day = due.day;
      insert into insight_days (day, network, supplier, hours, minutes, hour_minutes)
      select due.day, o.network, o.supplier, o.hours, o.minutes, o.hour_minutes from insight_of_day(due.day) o;
      delete from insight_day_minutes where day = due.day;
      insert into insight_day_minutes
      select due.day, ('[' || string_agg(minutes || ',' || orders, ',' order by minutes) || ']')::json
      from (select minutes, sum(orders) as orders from insight_minutes where day = due.day group by minutes) taken having count(*) > 0;
      changed := least(changed, due.day);
    elsif due.totals = 'agents' then
      delete from agent_weeks where week = due.day;
      insert into agent_weeks
      select due.day, agent_id, sum(orders), sum(sales_pesewas), sum(cost_pesewas), sum(uncosted_orders), sum(uncosted_pesewas),
        sum(refunded_orders), sum(refunded_pesewas), sum(refunded_uncosted_pesewas)
      from delivery_totals where day between due.day and due.day + 6 and agent_id is not null group by agent_id;
      delete from agent_lists where days = 7 and starts_on = due.day;
      insert into agent_lists select 7, due.day, o.* from agents_of_days(due.day, due.day + 6) o;
    elsif due.totals = 'packages' then
      delete from insight_package_weeks where week = due.day;
      insert into insight_package_weeks
      select due.day, network, supplier, offer, sum(orders), sum(net_pesewas), sum(costed_pesewas), sum(cost_pesewas), sum(uncosted_orders)
      from insight_packages where day between due.day and due.day + 6 group by network, supplier, offer;
    elsif due.totals = 'months' then
      delete from agent_months where month = due.day;
      insert into agent_months
      select due.day, agent_id, sum(orders), sum(sales_pesewas), sum(cost_pesewas), sum(uncosted_orders), sum(uncosted_pesewas),
        sum(refunded_orders), sum(refunded_pesewas), sum(refunded_uncosted_pesewas)
      from delivery_totals where day >= due.day and day < due.day + interval '1 month' and agent_id is not null group by agent_id;
    else
      delete from delivery_days where day = due.day;
      insert into delivery_days
      select day, network, supplier, sum(orders), sum(sales_pesewas), sum(cost_pesewas), sum(uncosted_orders), sum(uncosted_pesewas),
        sum(refunded_orders), sum(refunded_pesewas), sum(refunded_uncosted_pesewas)
      from delivery_totals where day = due.day group by day, network, supplier;
      delete from agent_lists where days = 1 and starts_on = due.day;
      insert into agent_lists select 1, due.day, o.* from agents_of_days(due.day, due.day) o;
    end if;
  end loop;
  -- Running totals go on, a day after the other, as far as no day before has changed.
  delete from insight_running_totals where day >= changed;
  for turn in 1 .. p_most loop
    select min(d.day) into next_day from insight_days d where d.day > coalesce((select max(day) from insight_running_totals), '-infinity');
    exit when next_day is null or exists (select from stale_days where totals = 'insight' and day <= next_day);
    insert into insight_running_totals select next_day, o.network, o.supplier, o.hours, o.minutes, o.hour_minutes from insight_until(next_day) o;
  end loop;
end $$;
