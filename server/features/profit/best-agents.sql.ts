import type { Queryable } from '../../platform/db.ts'
import { type Days, type DeliveredRow, SUMS } from './profit.sql.ts'

export type AgentRow = DeliveredRow & { agentId: string; username: string }

/** `net` is sales less later refunds, of agents with a delivery; `sales` also lists those with refunds alone. */
export type Ranking = { by: 'sales' | 'net'; most: number }

/** As delivery_totals and the months and weeks that are kept of it name what SUMS adds up. */
const COUNTS = `agent_id, orders, sales_pesewas, cost_pesewas, uncosted_orders, uncosted_pesewas, refunded_orders, refunded_pesewas,
  refunded_uncosted_pesewas`
const FRESH = `select ${COUNTS} from delivery_deltas where day between $1 and $2 and agent_id is not null`

/** The best agents of these days, both included. */
export async function selectBestAgents(db: Queryable, days: Days, ranking: Ranking): Promise<AgentRow[]> {
  if (await isKeptMonth(db, days)) return selectRanked(db, days, ranking, { name: 'of-month', bought: boughtInMonth(ranking) })
  const few = spanOf(days) < SHORTEST_RANKED ? null : await selectAmongLikely(db, days, ranking)
  return few ?? selectRanked(db, days, ranking, { name: 'of-range', bought: BOUGHT })
}

type Source = { name: string; bought: string; bound?: string }

async function selectRanked<Row extends AgentRow>(db: Queryable, days: Days, { by, most }: Ranking, source: Source): Promise<Row[]> {
  const { rows } = await db.query<Row>({
    name: `best-agents-${source.name}-by-${by}`,
    text: `with ${source.bought}
      select best.*, u.username from (
        select agent_id as "agentId", ${SUMS}${source.bound ? `, ${source.bound}` : ''} from bought group by agent_id
        ${by === 'net' ? 'having sum(orders::float8) > 0' : ''} order by ${ORDER[by]} desc, agent_id limit ${most}
      ) best join users u on u.id = best."agentId" order by ${RANK[by]} desc, u.id`,
    values: [days.from, days.until],
  })
  return rows
}

const ORDER = { sales: 'sum(sales_pesewas::float8)', net: 'sum((sales_pesewas - refunded_pesewas)::float8)' }
const RANK = { sales: '"salesPesewas"', net: '("salesPesewas" - "refundedPesewas")' }

/** All that agents bought from $1 to $2, as `bought`, some rows for each of them. Whole weeks are read from what was kept of them. */
const BOUGHT = `days as (select day::date from generate_series($1::date::timestamp, $2::date, '1 day') day),
  weeks as (
    select day as week from days
    where extract(isodow from day) = 1 and day + 6 <= $2::date
      and not exists (select from stale_days s where s.totals = 'agents' and s.day = days.day)
  ),
  others as (select day from days where date_trunc('week', day::timestamp)::date not in (select week from weeks)),
  bought as (
    -- "offset 0" makes it read each week and each day by its index, however many it expects.
    select kept.* from weeks cross join lateral (select ${COUNTS} from agent_weeks w where w.week = weeks.week offset 0) kept
    union all select kept.* from others cross join lateral (
      select ${COUNTS} from delivery_totals t where t.day = others.day and t.agent_id is not null offset 0
    ) kept
    union all ${FRESH}
  )`

/** For shorter ranges, all who bought in them are as quickly added up. */
const SHORTEST_RANKED = 21
/** So many of each month are looked at. */
const LIKELY = 100

/**
 * The same from the agents with the largest sales in one of the months that the days touch, and those with deliveries that are not folded
 * yet. Nobody else has sold more in these days than the last of each month's list together; null where that doesn't prove the ranking.
 */
async function selectAmongLikely(db: Queryable, days: Days, ranking: Ranking): Promise<AgentRow[] | null> {
  const rows = await selectRanked<AgentRow & { bound: number | null }>(db, days, ranking, {
    name: 'among-likely',
    bought: BOUGHT_BY_LIKELY,
    bound: '(select bound from bounds) as bound',
  })
  const [first] = rows
  const last = rows[ranking.most - 1]
  if (!first || first.bound === null) return null
  const worst = last ? last.salesPesewas - (ranking.by === 'net' ? last.refundedPesewas : 0) : 0
  if (first.bound > 0 && worst <= first.bound) return null
  return rows.map(({ bound: _, ...row }) => row)
}

const BOUGHT_BY_LIKELY = `months as (
    select month::date, (month + interval '1 month')::date as next
    from generate_series(date_trunc('month', $1::date::timestamp), $2::date, '1 month') month
  ),
  listed as (
    select months.month, kept.* from months cross join lateral (
      select agent_id, sales_pesewas from agent_months m where m.month = months.month order by sales_pesewas desc, agent_id limit ${LIKELY}
    ) kept
  ),
  bounds as (
    select case when not exists (select from stale_days s where s.totals = 'months' and s.day in (select month from months))
      then coalesce(sum(most), 0)::float8 end as bound
    from (select case when count(*) < ${LIKELY} then 0 else min(sales_pesewas) end as most from listed group by month) last
  ),
  fresh as (${FRESH}),
  likely as (select agent_id from listed union select agent_id from fresh),
  whole as (select month, next from months where month >= $1::date and next <= $2::date + 1),
  days as (
    select day::date from generate_series($1::date::timestamp, $2::date, '1 day') day
    where date_trunc('month', day)::date not in (select month from whole)
  ),
  weeks as (
    select min(day) as week from days group by date_trunc('week', day::timestamp)
    having count(*) = 7 and date_trunc('week', day::timestamp)::date not in (select s.day from stale_days s where s.totals = 'agents')
  ),
  others as (select array_agg(day) as days from days where date_trunc('week', day::timestamp)::date not in (select week from weeks)),
  bought as (
    select kept.* from whole cross join likely cross join lateral (
      select ${COUNTS} from agent_months m where m.month = whole.month and m.agent_id = likely.agent_id offset 0
    ) kept
    union all select kept.* from weeks cross join likely cross join lateral (
      select ${COUNTS} from agent_weeks w where w.week = weeks.week and w.agent_id = likely.agent_id offset 0
    ) kept
    union all select kept.* from likely cross join others cross join lateral (
      select ${COUNTS} from delivery_totals t where t.agent_id = likely.agent_id and t.day = any (others.days) offset 0
    ) kept
    union all select * from fresh
  )`

/**
 * What agents bought in one calendar month, $1 its first day and $2 its last, as `bought`: those with deliveries that are not folded yet, and
 * `most` of the others in the order asked for, of which the kept months have an index.
 */
function boughtInMonth({ by, most }: Ranking): string {
  return `fresh as (${FRESH}),
  bought as (
    (select ${COUNTS} from agent_months m where month = $1 ${by === 'net' ? 'and orders > 0' : ''} and agent_id not in (select agent_id from fresh)
     order by ${by === 'net' ? '(sales_pesewas - refunded_pesewas)' : 'sales_pesewas'} desc, agent_id limit ${most})
    union all select ${COUNTS} from agent_months where month = $1 and agent_id in (select agent_id from fresh)
    union all select * from fresh
  )`
}

/** True when these days, YYYY-MM-DD, are a calendar month whose agents were added up; the fold keeps them from then on. */
async function isKeptMonth(db: Queryable, { from, until }: Days): Promise<boolean> {
  const next = new Date(Date.parse(until) + DAY_MS)
  if (!from.endsWith('-01') || next.getUTCDate() !== 1 || from.slice(0, 7) !== until.slice(0, 7)) return false
  const { rowCount } = await db.query({
    name: 'is-kept-month',
    text: `select from stale_days where totals = 'months' and day = $1`,
    values: [from],
  })
  return rowCount === 0
}

const DAY_MS = 86_400_000

function spanOf({ from, until }: Days): number {
  return (Date.parse(until) - Date.parse(from)) / DAY_MS + 1
}
