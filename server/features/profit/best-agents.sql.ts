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
export async function selectBestAgents(db: Queryable, days: Days, { by, most }: Ranking): Promise<AgentRow[]> {
  const isMonth = await isKeptMonth(db, days)
  const { rows } = await db.query<AgentRow>({
    name: `best-agents-of-${isMonth ? 'month' : 'range'}-by-${by}`,
    text: `with ${isMonth ? boughtInMonth({ by, most }) : BOUGHT}
      select best.*, u.username from (
        select agent_id as "agentId", ${SUMS} from bought group by agent_id
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
  const next = new Date(Date.parse(until) + 86_400_000)
  if (!from.endsWith('-01') || next.getUTCDate() !== 1 || from.slice(0, 7) !== until.slice(0, 7)) return false
  const { rowCount } = await db.query({
    name: 'is-kept-month',
    text: `select from stale_days where totals = 'months' and day = $1`,
    values: [from],
  })
  return rowCount === 0
}
