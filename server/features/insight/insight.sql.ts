import type { Network } from '../../../shared/networks.ts'
import type { Queryable } from '../../platform/db.ts'

/** Delivered orders, in pesewas. `net` is sales less later refunds; `costed` what of it belongs to orders with a known cost. */
export type CountRow = { orders: number; net: number; costed: number; cost: number; uncosted: number }
export type GroupRow = CountRow & { day: string | null; network: Network | null; supplier: string | null; hour: number | null }

export type Filter = { network: string | null; supplier: string | null }

const SUMS = `sum(orders)::bigint as orders, sum(net_pesewas)::bigint as net, sum(costed_pesewas)::bigint as costed,
  sum(cost_pesewas)::bigint as cost, sum(uncosted_orders)::bigint as uncosted`
const CHOSEN = '($3::text is null or network = $3) and ($4::text is null or supplier = $4)'

/** Sums by day, by network, by supplier and by hour of the day, of deliveries from `from` until just before `until`. */
export async function selectByHour(db: Queryable, from: Date, until: Date, { network, supplier }: Filter): Promise<GroupRow[]> {
  const { rows } = await db.query<GroupRow>({
    name: 'insight-by-hour',
    text: `select day::text, network, supplier, hour, ${SUMS}
      from (
        select (c.hour at time zone 'UTC')::date as day, extract(hour from c.hour at time zone 'UTC')::integer as hour, network, supplier,
          orders, net_pesewas, costed_pesewas, cost_pesewas, uncosted_orders
        from insight_hour_counts c where c.hour >= $1 and c.hour < $2 and ${CHOSEN}
      ) counted
      group by grouping sets ((day), (network), (supplier), (hour))`,
    values: [from, until, network, supplier],
  })
  return rows
}

/** The same by day alone. */
export async function selectByDay(db: Queryable, from: Date, until: Date, { network, supplier }: Filter): Promise<GroupRow[]> {
  const { rows } = await db.query<GroupRow>({
    name: 'insight-by-day',
    text: `select (hour at time zone 'UTC')::date::text as day, null as network, null as supplier, null as hour, ${SUMS}
      from insight_hour_counts where hour >= $1 and hour < $2 and ${CHOSEN} group by 1`,
    values: [from, until, network, supplier],
  })
  return rows
}

/** One package's sums by day, network and supplier. */
export async function selectOfPackage(db: Queryable, from: string, to: string, filter: Filter, offer: string): Promise<GroupRow[]> {
  const { rows } = await db.query<GroupRow>({
    name: 'insight-of-package',
    text: `select day::text, network, supplier, null::integer as hour, ${SUMS} from insight_package_counts
      where day >= $1 and day <= $2 and ${CHOSEN} and offer = $5 group by grouping sets ((day), (network), (supplier))`,
    values: [from, to, filter.network, filter.supplier, offer],
  })
  return rows
}

const AGENT_SUMS = `sum(orders)::bigint as orders, sum(sales_pesewas - refunded_pesewas)::bigint as net,
  sum(sales_pesewas - uncosted_pesewas - refunded_pesewas + refunded_uncosted_pesewas)::bigint as costed,
  sum(cost_pesewas)::bigint as cost, sum(uncosted_orders)::bigint as uncosted`

/** One agent's sums by day, network and supplier. */
export async function selectOfAgent(db: Queryable, from: string, to: string, filter: Filter, agent: string): Promise<GroupRow[]> {
  const { rows } = await db.query<GroupRow>({
    name: 'insight-of-agent',
    text: `select day::text, network, supplier, null::integer as hour, ${AGENT_SUMS} from delivery_counts
      where day >= $1 and day <= $2 and ${CHOSEN} and agent_id = $5 group by grouping sets ((day), (network), (supplier))`,
    values: [from, to, filter.network, filter.supplier, agent],
  })
  return rows
}

const MOST_LISTED = 12

export async function selectPackages(
  db: Queryable,
  from: string,
  to: string,
  filter: Filter,
): Promise<(CountRow & { network: Network; offer: string })[]> {
  const { rows } = await db.query<CountRow & { network: Network; offer: string }>({
    name: 'insight-packages',
    text: `select network, offer, ${SUMS} from insight_package_counts where day >= $1 and day <= $2 and ${CHOSEN}
      group by network, offer having sum(orders) > 0 order by net desc, network, offer limit ${MOST_LISTED}`,
    values: [from, to, filter.network, filter.supplier],
  })
  return rows
}

export async function selectAgents(
  db: Queryable,
  from: string,
  to: string,
  filter: Filter,
): Promise<(CountRow & { id: string; username: string })[]> {
  const { rows } = await db.query<CountRow & { id: string; username: string }>({
    name: 'insight-agents',
    text: `select u.id, u.username, bought.* from (
        select agent_id, ${AGENT_SUMS} from delivery_counts where day >= $1 and day <= $2 and ${CHOSEN} and agent_id is not null
        group by agent_id having sum(orders) > 0 order by net desc, agent_id limit ${MOST_LISTED}
      ) bought join users u on u.id = bought.agent_id order by bought.net desc, u.id`,
    values: [from, to, filter.network, filter.supplier],
  })
  return rows
}

export type TimesRow = {
  day: string | null
  network: Network | null
  supplier: string | null
  hour: number | null
  orders: number
  median: number
  nineOfTen: number
}

/** The smallest step that so many of them needed at most: half, and nine of ten. */
const PERCENTILES = `max(total)::integer as orders, min(minutes) filter (where so_far * 2 >= total) as median,
  min(minutes) filter (where so_far * 10 >= total * 9) as "nineOfTen"`

/** How long deliveries took, by network and supplier, and by day. */
export async function selectTimes(db: Queryable, from: string, to: string, { network, supplier }: Filter): Promise<TimesRow[]> {
  const { rows } = await db.query<TimesRow>({
    name: 'insight-times',
    text: `select day::text, network, supplier, null::integer as hour, ${PERCENTILES}
      from (
        select day, network, supplier, minutes, sum(orders) over (partition by day, network, supplier order by minutes) as so_far,
          sum(orders) over (partition by day, network, supplier) as total
        from (
          select day, network, supplier, minutes, sum(orders) as orders from insight_minute_counts
          where day >= $1 and day <= $2 and ${CHOSEN} group by grouping sets ((network, supplier, minutes), (day, minutes))
        ) counted
      ) ranked group by day, network, supplier`,
    values: [from, to, network, supplier],
  })
  return rows
}

/** How long they took by the hour of the day in which they were bought, and by network, supplier and hour. */
export async function selectHourTimes(db: Queryable, from: string, to: string, { network, supplier }: Filter): Promise<TimesRow[]> {
  const { rows } = await db.query<TimesRow>({
    name: 'insight-hour-times',
    text: `select null as day, network, supplier, hour, ${PERCENTILES}
      from (
        select network, supplier, hour, minutes, sum(orders) over (partition by network, supplier, hour order by minutes) as so_far,
          sum(orders) over (partition by network, supplier, hour) as total
        from (
          select network, supplier, hour::integer, minutes, sum(orders) as orders from insight_hour_minute_counts
          where day >= $1 and day <= $2 and ${CHOSEN} group by grouping sets ((network, supplier, hour, minutes), (hour, minutes))
        ) counted
      ) ranked group by network, supplier, hour`,
    values: [from, to, network, supplier],
  })
  return rows
}

/** Since when deliveries are counted. */
export async function selectCountedSince(db: Queryable): Promise<Date | null> {
  const { rows } = await db.query<{ since: Date | null }>({
    name: 'insight-since',
    text: 'select coalesce((select hour from insight_hours order by hour limit 1), (select min(at) from insight_deltas)) as since',
  })
  return rows[0]?.since ?? null
}

export type LapsedRow = { id: string; username: string; phone: string; level: string; weeklyOrders: number; lastOrderAt: Date }

const MOST_LAPSED = 8
/** Some of those counted this morning have bought since. */
const MOST_LOOKED_AT = 40

export async function selectLapsed(db: Queryable): Promise<LapsedRow[]> {
  const { rows } = await db.query<LapsedRow>({
    name: 'insight-lapsed',
    text: `select u.id, u.username, u.phone, u.level, b.weekly_orders as "weeklyOrders", b.last_order_at as "lastOrderAt"
      from (select * from lapsed_buyers order by weekly_orders desc, last_order_at desc, user_id limit ${MOST_LOOKED_AT}) b
      join users u on u.id = b.user_id and u.status = 'Active'
      where not exists (
        select from (select created_at from orders o where o.user_id = b.user_id order by seq desc limit 1) newest where created_at > b.last_order_at
      )
      order by b.weekly_orders desc, b.last_order_at desc, u.id limit ${MOST_LAPSED}`,
  })
  return rows
}

export type SlowRow = { what: 'top-up' | 'report'; hour: number | null; minutes: number }

/** The hour whose requests to credit a wallet waited longest, of the newest 300, and how long reports waited, of the newest 100. */
export async function selectSlow(db: Queryable, since: Date): Promise<SlowRow[]> {
  const { rows } = await db.query<SlowRow>({
    name: 'insight-slow',
    text: `(
        select 'top-up' as what, extract(hour from created_at at time zone 'UTC')::integer as hour,
          ceil(percentile_disc(0.5) within group (order by extract(epoch from decided_at - created_at)) / 60)::integer as minutes
        from (select * from recharges order by seq desc limit 300) newest
        where status = 'approved' and created_at >= $1 group by 2 having count(*) >= 3 order by 3 desc limit 1
      ) union all (
        select 'report', null, ceil(percentile_disc(0.5) within group (order by extract(epoch from answered - opened_at)) / 60)::integer
        from (
          select r.opened_at, least((select min(m.created_at) from report_messages m where m.report_id = r.id and m.from_shop), r.ended_at) as answered
          from (select * from reports order by seq desc limit 100) r where r.opened_at >= $1
        ) newest where answered is not null having count(*) >= 3
      )`,
    values: [since],
  })
  return rows
}
