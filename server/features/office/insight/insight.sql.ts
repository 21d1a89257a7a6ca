import type { Network } from '../../../../shared/networks.ts'
import { type Queryable, sumOf } from '../../../platform/db.ts'
import { selectBestAgents } from '../profit/best-agents.sql.ts'
import { type Filter, narrow } from '../profit/narrow.sql.ts'
import { listWeeksAndDays } from '../profit/weeks-and-days.sql.ts'

/** Delivered orders, in pesewas. `net` is sales less later refunds; `costed` what of it belongs to orders with a known cost. */
export type CountRow = { orders: number; net: number; costed: number; cost: number; uncosted: number }
/** `gross` is the price of what was delivered, `refunded` how many orders were refunded afterwards; null of a package, which keeps only their difference. */
type GrossRow = { gross: number | null; refunded: number | null }
export type GroupRow = CountRow & GrossRow & { day: string | null; network: Network | null; supplier: string | null }

const SUMS = `${sumOf('orders')} as orders, ${sumOf('net_pesewas')} as net, ${sumOf('costed_pesewas')} as costed,
  ${sumOf('cost_pesewas')} as cost, ${sumOf('uncosted_orders')} as uncosted`
const DELIVERED_SUMS = `${sumOf('orders')} as orders, ${sumOf('sales_pesewas - refunded_pesewas')} as net,
  ${sumOf('sales_pesewas - uncosted_pesewas - refunded_pesewas + refunded_uncosted_pesewas')} as costed,
  ${sumOf('cost_pesewas')} as cost, ${sumOf('uncosted_orders')} as uncosted, ${sumOf('sales_pesewas')} as gross,
  ${sumOf('refunded_orders')} as refunded`

/**
 * Deliveries of some days; several rows are added up, those with a `sign` of -1 taken off. `hours` by the hour of the delivery: orders, net, costed,
 * cost, orders without a cost. `minutes`: pairs of minutes and how many took so long. `hourMinutes`: the same by the hour in which they were bought.
 * Those of a day alone have no network and supplier, those of a network and supplier alone no day.
 */
export type RangeRow = {
  day: string | null
  network: Network | null
  supplier: string | null
  sign: 1 | -1
  hours: Record<string, [orders: number, net: number, costed: number, cost: number, uncosted: number]>
  minutes: number[]
  hourMinutes: Record<string, number[]>
}

/** Days from `from` to `to`, both included (YYYY-MM-DD). */
export async function selectRange(db: Queryable, from: string, to: string, filter: Filter): Promise<RangeRow[]> {
  const { isOfAll, name } = narrow(filter)
  const { rows } = await db.query<RangeRow>({
    name: `insight-range${name}`,
    text: `select day::text, network, supplier, sign, hours, minutes, hour_minutes as "hourMinutes"
      from insight_of_range($1, $2, ${isOfAll ? 'null, null' : '$3, $4'})`,
    values: isOfAll ? [from, to] : [from, to, filter.network, filter.supplier],
  })
  return rows
}

/** Sums by day, network and supplier. */
export async function selectGroups(db: Queryable, from: string, to: string, filter: Filter): Promise<GroupRow[]> {
  const { isOf, name } = narrow(filter)
  const { rows } = await db.query<GroupRow>({
    name: `insight-groups${name}`,
    text: `select day::text, network, supplier, ${DELIVERED_SUMS} from delivery_day_counts
      where day >= $1 and day <= $2 and ${isOf} group by grouping sets ((day), (network), (supplier))`,
    values: [from, to, filter.network, filter.supplier],
  })
  return rows
}

/** A day's sums before the hour `until`, from 0 to 24. */
export async function selectPartOfDay(db: Queryable, day: string, until: number, filter: Filter): Promise<CountRow[]> {
  const { isOf, name } = narrow(filter)
  const { rows } = await db.query<CountRow>({
    name: `insight-part-of-day${name}`,
    text: `select ${SUMS} from insight_hour_counts
      where hour >= $1::date::timestamp at time zone 'UTC' and hour < ($1::date::timestamp + make_interval(hours => $2)) at time zone 'UTC' and ${isOf}
      having count(*) > 0`,
    values: [day, until, filter.network, filter.supplier],
  })
  return rows
}

/** One package's sums by day, network and supplier. */
export async function selectOfPackage(db: Queryable, from: string, to: string, filter: Filter, offer: string): Promise<GroupRow[]> {
  const { isOf, name } = narrow(filter)
  const { rows } = await db.query<GroupRow>({
    name: `insight-of-package${name}`,
    text: `select day::text, network, supplier, ${SUMS}, null::bigint as gross, null::bigint as refunded from insight_package_counts
      where day >= $1 and day <= $2 and ${isOf} and offer = $5 group by grouping sets ((day), (network), (supplier))`,
    values: [from, to, filter.network, filter.supplier, offer],
  })
  return rows
}

/** One agent's sums by day, network and supplier. */
export async function selectOfAgent(db: Queryable, from: string, to: string, filter: Filter, agent: string): Promise<GroupRow[]> {
  const { isOf, name } = narrow(filter)
  const { rows } = await db.query<GroupRow>({
    name: `insight-of-agent${name}`,
    text: `select day::text, network, supplier, ${DELIVERED_SUMS} from delivery_counts
      where day >= $1 and day <= $2 and ${isOf} and agent_id = $5 group by grouping sets ((day), (network), (supplier))`,
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
  const { isOf, name } = narrow(filter)
  const columns = 'network, offer, orders, net_pesewas, costed_pesewas, cost_pesewas, uncosted_orders'
  const { rows } = await db.query<CountRow & { network: Network; offer: string }>({
    name: `insight-packages${name}`,
    text: `with ${listWeeksAndDays('packages')},
      sold as (
        -- "offset 0" makes it read each week and each day by its index, however many it expects.
        select kept.* from weeks cross join lateral (select ${columns} from insight_package_weeks w where w.week = weeks.day and ${isOf} offset 0) kept
        union all select kept.* from rest cross join lateral (select ${columns} from insight_packages p where p.day = rest.day and ${isOf} offset 0) kept
        union all select ${columns} from insight_deltas where (at at time zone 'UTC')::date between $1 and $2 and ${isOf}
      )
      select network, offer, ${SUMS} from sold group by network, offer having sum(orders::float8) > 0 order by net desc, network, offer limit ${MOST_LISTED}`,
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
  const best = await selectBestAgents(db, { from, until: to }, filter, MOST_LISTED)
  return best.map(({ agentId, username, ...row }) => ({
    id: agentId,
    username,
    orders: row.orders,
    net: row.salesPesewas - row.refundedPesewas,
    costed: row.salesPesewas - row.uncostedPesewas - row.refundedPesewas + row.refundedUncostedPesewas,
    cost: row.costPesewas,
    uncosted: row.uncostedOrders,
  }))
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
