import type { Queryable } from '../../platform/db.ts'
import { findBestAgents } from './find-best-agents.ts'
import { type Days, type DeliveredRow, SUMS } from './profit.sql.ts'

export type AgentRow = DeliveredRow & { agentId: string; username: string }

/** Of all orders, or of those of a network, of a supplier or of both. */
export type AgentsOf = { network: string | null; supplier: string | null }

/** As delivery_totals and the months and weeks that are kept of it name what SUMS adds up. */
const COUNTS = `agent_id, orders, sales_pesewas, cost_pesewas, uncosted_orders, uncosted_pesewas, refunded_orders, refunded_pesewas,
  refunded_uncosted_pesewas`
const FRESH = `select ${COUNTS} from delivery_deltas where day between $1 and $2 and agent_id is not null`

/** The `most` agents with most sales less later refunds in these days, both included, of those with a delivery. */
export async function selectBestAgents(db: Queryable, days: Days, of: AgentsOf, most: number): Promise<AgentRow[]> {
  const isOfAll = of.network === null && of.supplier === null
  if (isOfAll && (await isKeptMonth(db, days))) return selectBestOfMonth(db, days, most)
  const best = await selectBestSeqs(db, days, of, most)
  if (best.length === 0) return []
  return isOfAll ? selectSums(db, days, best, most) : selectSumsOf(db, days, of, best, most)
}

const BEST = `select best.*, u.username from (
    select agent_id as "agentId", ${SUMS} from bought group by agent_id having sum(orders::float8) > 0
    order by sum((sales_pesewas - refunded_pesewas)::float8) desc, agent_id limit $3
  ) best join users u on u.id = best."agentId" order by ("salesPesewas" - "refundedPesewas") desc, u.id`

/**
 * The best of one calendar month, $1 its first day and $2 its last: those with deliveries that are not folded yet, and the first of the others in the
 * order of their sales less refunds, of which the kept months have an index.
 */
async function selectBestOfMonth(db: Queryable, { from, until }: Days, most: number): Promise<AgentRow[]> {
  const { rows } = await db.query<AgentRow>({
    name: 'best-agents-of-month',
    text: `with fresh as (${FRESH}),
      bought as (
        (select ${COUNTS} from agent_months m where month = $1 and orders > 0 and agent_id not in (select agent_id from fresh)
         order by (sales_pesewas - refunded_pesewas) desc, agent_id limit $3)
        union all select ${COUNTS} from agent_months where month = $1 and agent_id in (select agent_id from fresh)
        union all select * from fresh
      ) ${BEST}`,
    values: [from, until, most],
  })
  return rows
}

/** Whole weeks from $1 to $2 that were added up, as `weeks`, and the other days, as `others`. */
const WEEKS_AND_DAYS = `days as (select day::date from generate_series($1::date::timestamp, $2::date, '1 day') day),
  weeks as (
    select day as week from days
    where extract(isodow from day) = 1 and day + 6 <= $2::date
      and not exists (select from stale_days s where s.totals = 'agents' and s.day = days.day)
  ),
  others as (select day from days where date_trunc('week', day::timestamp)::date not in (select week from weeks))`

/** users.seq of the best, from the lists that are kept of weeks and days. Who is as good as the last of them is among them too. */
async function selectBestSeqs(db: Queryable, { from, until }: Days, { network, supplier }: AgentsOf, most: number): Promise<number[]> {
  const { rows } = await db.query<{ agents: Buffer }>({
    name: 'best-agents-lists',
    text: `with ${WEEKS_AND_DAYS},
      -- A day that has changed since it was added up, or is not over.
      changed as (select day from others where exists (select from stale_days s where s.totals = 'deliveries' and s.day = others.day)),
      lists as (
        -- "offset 0" makes it read each week and each day by its index, however many it expects.
        select kept.* from weeks cross join lateral (
          select network, supplier, agents from agent_lists l where l.days = 7 and l.starts_on = weeks.week offset 0
        ) kept
        union all select kept.* from others cross join lateral (
          select network, supplier, agents from agent_lists l where l.days = 1 and l.starts_on = others.day offset 0
        ) kept where others.day not in (select day from changed)
        union all select real.* from changed cross join lateral agents_of_days(changed.day, changed.day) real
        union all select d.network, d.supplier, int4send(u.seq::integer) || int4send(d.orders::integer) || int8send(d.sales_pesewas - d.refunded_pesewas)
        from delivery_deltas d join users u on u.id = d.agent_id where d.day between $1 and $2
      )
      select agents from lists where ($3::text is null or network = $3) and ($4::text is null or supplier = $4)`,
    values: [from, until, network, supplier],
  })
  return findBestAgents(
    rows.map(({ agents }) => agents),
    most,
  )
}

const CHOSEN = 'chosen as materialized (select id from users where seq = any($4::bigint[]))'

/** The best `most` of these agents with all their sums. Whole weeks are read from what was kept of them. */
async function selectSums(db: Queryable, { from, until }: Days, seqs: number[], most: number): Promise<AgentRow[]> {
  const { rows } = await db.query<AgentRow>({
    name: 'best-agents-of-range',
    text: `with ${WEEKS_AND_DAYS}, ${CHOSEN},
      bought as (
        select kept.* from weeks cross join chosen cross join lateral (
          select ${COUNTS} from agent_weeks w where w.week = weeks.week and w.agent_id = chosen.id offset 0
        ) kept
        union all select kept.* from others cross join chosen cross join lateral (
          select ${COUNTS} from delivery_totals t where t.day = others.day and t.agent_id = chosen.id offset 0
        ) kept
        union all ${FRESH} and agent_id in (select id from chosen)
      ) ${BEST}`,
    values: [from, until, most, seqs],
  })
  return rows
}

/** The same of a network or supplier, which the kept weeks don't tell apart. */
async function selectSumsOf(db: Queryable, { from, until }: Days, of: AgentsOf, seqs: number[], most: number): Promise<AgentRow[]> {
  const isOf = '($5::text is null or network = $5) and ($6::text is null or supplier = $6)'
  const { rows } = await db.query<AgentRow>({
    name: 'best-agents-of-network-or-supplier',
    text: `with ${CHOSEN},
      bought as (
        select kept.* from chosen cross join lateral (
          select ${COUNTS} from delivery_totals t where t.agent_id = chosen.id and t.day between $1 and $2 and ${isOf} offset 0
        ) kept
        union all ${FRESH} and agent_id in (select id from chosen) and ${isOf}
      ) ${BEST}`,
    values: [from, until, most, seqs, of.network, of.supplier],
  })
  return rows
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
