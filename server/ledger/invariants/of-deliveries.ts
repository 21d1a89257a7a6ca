import { COST_OF_SALES, ORDERS_UNDELIVERED, SALES } from '../accounts.ts'
import type { Invariant } from './invariant.ts'

const BOOKED = `left join journal_entries bought on bought.key = 'order:' || o.id
  left join postings waiting on waiting.entry_id = bought.id and waiting.account_id = ${ORDERS_UNDELIVERED}
  left join journal_entries e on e.key = 'delivery:' || o.id
  left join postings sale on sale.entry_id = e.id and sale.account_id = ${SALES}
  left join postings cost on cost.entry_id = e.id and cost.account_id = ${COST_OF_SALES}
  left join journal_entries later on later.key = 'delivery-cost:' || o.id
  left join postings late_cost on late_cost.entry_id = later.id and late_cost.account_id = ${COST_OF_SALES}`

/** What is the agent's of an order in their shop is never a sale. The price of an order bought before account 8 existed was among the sales from the start. */
const MISBOOKED = `(
    sale.amount_pesewas is distinct from case when o.completed_at is not null and waiting.entry_id is not null then o.price_pesewas - o.agent_profit_pesewas end
    or coalesce(cost.amount_pesewas, 0) + coalesce(late_cost.amount_pesewas, 0) <> -coalesce(o.cost_pesewas, 0)
    or (o.status = 'completed' and o.completed_at is null and waiting.entry_id is not null)
  )`

const FOUND = `'order ' || o.id as subject, o.status || ', price ' || o.price_pesewas || ' and cost ' || coalesce(o.cost_pesewas::text, 'unknown')
    || ', booked ' || coalesce(sale.amount_pesewas::text, 'nothing') || ' and '
    || coalesce((-coalesce(cost.amount_pesewas, 0) - coalesce(late_cost.amount_pesewas, 0))::text, 'nothing') as detail`

const SUMS = `array[sum(orders), sum(sales_pesewas), sum(cost_pesewas), sum(uncosted_orders), sum(uncosted_pesewas), sum(refunded_orders),
  sum(refunded_pesewas), sum(refunded_uncosted_pesewas)]`

const INSIGHT_SUMS = 'array[sum(orders), sum(net_pesewas), sum(costed_pesewas), sum(cost_pesewas), sum(uncosted_orders)]'

/** Days, weeks and months that are read from their own rows. */
const listStale = (totals: 'deliveries' | 'insight' | 'agents' | 'months' | 'packages') =>
  `select day from stale_days where totals = '${totals}'`
const STALE = listStale('insight')

/** What is kept of each agent for a week or a month against their days, but for those in stale_days, which are read from their own rows. */
function keptOfAgents(unit: 'week' | 'month', totals: 'agents' | 'months'): string {
  const stale = listStale(totals)
  return `select coalesce(kept.${unit}, real.${unit}) || ' agent ' || coalesce(kept.agent_id, real.agent_id) as subject,
      'kept ' || coalesce(kept.sums::text, 'nothing') || ', added up ' || coalesce(real.sums::text, 'nothing') as detail
    from (select ${unit}, agent_id, ${SUMS} as sums from agent_${unit}s where ${unit} not in (${stale}) group by 1, 2) kept
    full join (
      select date_trunc('${unit}', day::timestamp)::date as ${unit}, agent_id, ${SUMS} as sums from delivery_totals
      where agent_id is not null and date_trunc('${unit}', day::timestamp)::date not in (${stale}) group by 1, 2
    ) real using (${unit}, agent_id)
    where kept.sums is distinct from real.sums order by 1 limit 100`
}

export const I16: Invariant = {
  id: 'I16',
  title: 'Every delivered order is booked once, with its price and its cost; what was paid for others waits apart.',
  counts: { what: 'orders', sql: 'select count(*) as rows from orders' },
  rules: [
    {
      says: 'a delivered order is booked once, with its price and its cost; no other order is',
      concerns: 'records',
      joinsAll: true,
      sql: `select ${FOUND} from orders o ${BOOKED} where ${MISBOOKED} order by o.seq limit 100`,
      newer: {
        of: 'actions',
        sql: `select ${FOUND} from admin_actions a join orders o on o.id = a.subject_id::uuid ${BOOKED}
          where a.id > $1 and a.subject_type = 'order' and a.action in ('order.completed', 'order.rejected') and ${MISBOOKED}
          order by o.seq limit 100`,
      },
    },
    {
      says: 'the account for undelivered orders has what was paid for the pending ones',
      concerns: 'money',
      sql: `select 'account ' || b.code as subject, 'has ' || b.pesewas || ', pending orders ' || pending.pesewas as detail
        from house_balances b, (
          select coalesce(sum(o.price_pesewas), 0) as pesewas
          from orders o join journal_entries e on e.key = 'order:' || o.id
          join postings p on p.entry_id = e.id and p.account_id = ${ORDERS_UNDELIVERED}
          where o.status = 'pending'
        ) pending
        where b.account_id = ${ORDERS_UNDELIVERED} and b.pesewas <> pending.pesewas`,
      newer: { of: 'entries', sql: 'same' },
    },
    {
      says: 'every delivery in the books is that of an order',
      concerns: 'records',
      joinsAll: true,
      sql: `select 'entry ' || e.id || ' (' || e.key || ')' as subject, 'no such order' as detail
        from journal_entries e left join orders o on o.id = case when e.key ~ '^delivery(-cost)?:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then right(e.key, 36)::uuid end
        where e.id > $1 and e.kind in ('delivery', 'delivery-cost') and o.id is null order by e.id limit 100`,
      newer: { of: 'entries', sql: 'same' },
    },
    {
      says: 'the kept totals of deliveries are those of the orders',
      concerns: 'records',
      sql: `select coalesce(kept.day, real.day) || ' ' || coalesce(kept.network, real.network) || ' ' || coalesce(kept.supplier, real.supplier) as subject,
          'kept ' || coalesce(kept.orders, 0) || ' for ' || coalesce(kept.sales, 0) || ' at ' || coalesce(kept.cost, 0)
            || ', orders ' || coalesce(real.orders, 0) || ' for ' || coalesce(real.sales, 0) || ' at ' || coalesce(real.cost, 0) as detail
        from (
          select day, network, supplier, sum(orders) as orders, sum(sales_pesewas) as sales, sum(cost_pesewas) as cost, sum(uncosted_orders) as uncosted
          from delivery_counts group by 1, 2, 3
        ) kept
        full join (
          select (completed_at at time zone 'UTC')::date as day, network, cost_supplier as supplier, count(*) as orders, sum(price_pesewas - agent_profit_pesewas) as sales,
            coalesce(sum(cost_pesewas), 0) as cost, count(*) filter (where cost_pesewas is null) as uncosted
          from orders where completed_at is not null group by 1, 2, 3
        ) real using (day, network, supplier)
        where (coalesce(kept.orders, 0), coalesce(kept.sales, 0), coalesce(kept.cost, 0), coalesce(kept.uncosted, 0))
          <> (coalesce(real.orders, 0), coalesce(real.sales, 0), coalesce(real.cost, 0), coalesce(real.uncosted, 0))
        order by 1 limit 100`,
    },
    {
      says: 'the deliveries of a day are those of its agents and customers',
      concerns: 'records',
      sql: `select coalesce(kept.day, real.day) || ' ' || coalesce(kept.network, real.network) || ' ' || coalesce(kept.supplier, real.supplier) as subject,
          'kept ' || coalesce(kept.sums::text, 'nothing') || ', added up ' || coalesce(real.sums::text, 'nothing') as detail
        from (select day, network, supplier, ${SUMS} as sums from delivery_day_counts group by 1, 2, 3) kept
        full join (select day, network, supplier, ${SUMS} as sums from delivery_counts group by 1, 2, 3) real using (day, network, supplier)
        where kept.sums is distinct from real.sums order by 1 limit 100`,
    },
    { says: 'the weeks of agents are those of their days', concerns: 'records', sql: keptOfAgents('week', 'agents') },
    { says: 'the months of agents are those of their days', concerns: 'records', sql: keptOfAgents('month', 'months') },
    {
      says: 'the weeks of packages are those of their days',
      concerns: 'records',
      sql: `select coalesce(kept.week, real.week) || ' ' || coalesce(kept.network, real.network) || ' ' || coalesce(kept.offer, real.offer) || ' '
            || coalesce(kept.supplier, real.supplier) as subject,
          'kept ' || coalesce(kept.sums::text, 'nothing') || ', added up ' || coalesce(real.sums::text, 'nothing') as detail
        from (
          select week, network, supplier, offer, ${INSIGHT_SUMS} as sums from insight_package_weeks where week not in (${listStale('packages')}) group by 1, 2, 3, 4
        ) kept
        full join (
          select date_trunc('week', day::timestamp)::date as week, network, supplier, offer, ${INSIGHT_SUMS} as sums from insight_packages
          where date_trunc('week', day::timestamp)::date not in (${listStale('packages')}) group by 1, 2, 3, 4
        ) real using (week, network, supplier, offer)
        where kept.sums is distinct from real.sums order by 1 limit 100`,
    },
    {
      says: 'the lists of agents are those of their days',
      concerns: 'records',
      sql: `with spans as (
          select 1 as days, day as starts_on from (select distinct day from delivery_totals) d where day not in (${listStale('deliveries')})
          union all select 7, week from (select distinct date_trunc('week', day::timestamp)::date as week from delivery_totals) w
          where week not in (${listStale('agents')})
        )
        select starts_on || ', ' || days || ' days, ' || of as subject,
          'kept ' || coalesce(left(kept.list, 100), 'nothing') || ', of its days ' || coalesce(left(real.list, 100), 'nothing') as detail
        from (
          select days, starts_on, coalesce(network || ' ' || supplier, 'all') as of, (best, others, others_most, others_least)::text as list from agent_lists l
          where l.starts_on not in (select s.day from stale_days s where s.totals = case l.days when 1 then 'deliveries' else 'agents' end)
        ) kept
        full join (
          select s.days, s.starts_on, coalesce(network || ' ' || supplier, 'all') as of, (best, others, others_most, others_least)::text as list
          from spans s cross join lateral agents_of_days(s.starts_on, s.starts_on + s.days - 1) o
        ) real using (days, starts_on, of)
        where kept.list is distinct from real.list order by 1 limit 100`,
    },
    {
      says: 'the running totals of Insight are those of its days',
      concerns: 'records',
      sql: `with valid as (
          select * from insight_running_totals where day < coalesce((select min(day) from stale_days where totals = 'insight'), 'infinity')
        )
        select coalesce(kept.day, real.day) || ' ' || coalesce(kept.network, real.network) || ' ' || coalesce(kept.supplier, real.supplier) as subject,
          'kept ' || coalesce(left(kept.hours::text, 100) || ', ' || left(kept.minutes::text, 100) || ' and ' || left(kept.hour_minutes::text, 100), 'nothing')
            || ', of its days '
            || coalesce(left(real.hours::text, 100) || ', ' || left(real.minutes::text, 100) || ' and ' || left(real.hour_minutes::text, 100), 'nothing') as detail
        from valid kept
        full join (
          select d.day, o.* from (
            select day from insight_days where day <= (select max(day) from valid) union select day from valid
          ) d cross join lateral insight_until(d.day) o
        ) real using (day, network, supplier)
        where (kept.hours::text, kept.minutes::text, kept.hour_minutes::text) is distinct from (real.hours::text, real.minutes::text, real.hour_minutes::text)
        order by 1 limit 100`,
    },
    {
      says: 'how long the deliveries of a day took is that of its networks and suppliers',
      concerns: 'records',
      sql: `select day::text as subject, 'kept ' || coalesce(left(kept.minutes::text, 100), 'nothing') || ', added up ' || coalesce(left(real.minutes, 100), 'nothing') as detail
        from (select day, minutes from insight_day_minutes where day not in (${STALE})) kept
        full join (
          select day, '[' || string_agg(minutes || ',' || orders, ',' order by minutes) || ']' as minutes
          from (select day, minutes, sum(orders) as orders from insight_minutes where day not in (${STALE}) group by 1, 2) taken group by day
        ) real using (day)
        where kept.minutes::text is distinct from real.minutes order by 1 limit 100`,
    },
    {
      says: 'a day of Insight is the sum of its hours',
      concerns: 'records',
      sql: `select coalesce(kept.day, real.day) || ' ' || coalesce(kept.network, real.network) || ' ' || coalesce(kept.supplier, real.supplier) as subject,
          'kept ' || coalesce(kept.hours::text, 'nothing') || ', hours ' || coalesce(real.hours::text, 'nothing') as detail
        from (select * from insight_days where day not in (${STALE})) kept
        full join (
          select d.day, o.*
          from (select distinct (hour at time zone 'UTC')::date as day from insight_hours union select day from insight_minutes) d, insight_of_day(d.day) o
          where d.day not in (${STALE})
        ) real using (day, network, supplier)
        where (kept.hours::text, kept.minutes::text, kept.hour_minutes::text) is distinct from (real.hours::text, real.minutes::text, real.hour_minutes::text)
        order by 1 limit 100`,
    },
  ],
}
