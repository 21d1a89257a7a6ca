import type { Queryable } from '../../../platform/db.ts'
import { type AgentList, findBestAgents, findLikelyAgents } from './find-best-agents.ts'
import { type Filter, narrow } from './narrow.sql.ts'
import { type Days, type DeliveredRow, SUMS } from './profit.sql.ts'
import { listWeeksAndDays } from './weeks-and-days.sql.ts'

export type AgentRow = DeliveredRow & { agentId: string; username: string }

/** As delivery_totals and the months and weeks that are kept of it name what SUMS adds up. */
const COUNTS = `agent_id, orders, sales_pesewas, cost_pesewas, uncosted_orders, uncosted_pesewas, refunded_orders, refunded_pesewas,
  refunded_uncosted_pesewas`
const FRESH = `select ${COUNTS} from delivery_deltas where day between $1 and $2 and agent_id is not null`

/** The `most` agents with most sales less later refunds in these days, both included, of those with a delivery. */
export async function selectBestAgents(db: Queryable, days: Days, of: Filter, most: number): Promise<AgentRow[]> {
  const { isOfAll } = narrow(of)
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

/** Fewer than agents_of_days.sql takes apart, since these are ranked for each call. */
const BEST_PLACES = 100
const ALL_PLACES = 'place > 0'
/** To add up more of them one by one takes longer than to add up all. */
const MOST_LIKELY = 200

type ListRow = AgentList & { others: Buffer | null }

/**
 * The lists of whole weeks and of days that were added up, one of the days that have changed since or are not over, and what is not folded. Their
 * `others` are read only for `isWhole`.
 */
async function selectLists(db: Queryable, { from, until }: Days, of: Filter, isWhole: boolean): Promise<ListRow[]> {
  const { isOfAll, isOf, name } = narrow(of)
  const [place, others] = isWhole ? [ALL_PLACES, 'others'] : [`place <= ${BEST_PLACES}`, 'null::bytea as others']
  const kept = (days: 1 | 7, starts: string) => `select kept.* from ${starts} cross join lateral (
      select best, ${others}, others_most, others_least from agent_lists
      where days = ${days} and starts_on = ${starts}.day and network is ${isOfAll ? '' : 'not '}null and ${isOf} offset 0
    ) kept`
  const { rows } = await db.query<ListRow>({
    name: `best-agents-${isWhole ? 'whole-' : ''}lists${name}`,
    text: `with ${listWeeksAndDays('agents')},
      changed as (select day from rest where day in (select day from stale_days where totals = 'deliveries')),
      unchanged as (select day from rest where day not in (select day from changed)),
      bought as (
        select agent_id, sum(orders) as orders, sum(sales_pesewas - refunded_pesewas) as net,
          row_number() over (order by sum(sales_pesewas - refunded_pesewas) desc) as place
        from (
          select sold.* from changed cross join lateral (select * from delivery_totals t where t.day = changed.day and ${isOf} offset 0) sold
          union all select * from delivery_deltas where day between $1 and $2 and ${isOf}
        ) sold where agent_id is not null group by agent_id
      ),
      -- "offset 0" makes it read each week and each day by its index, however many it expects.
      lists as (
        ${kept(7, 'weeks')} union all ${kept(1, 'unchanged')}
        union all select coalesce((
            select string_agg(int4send(u.seq::integer) || int4send(orders::integer) || int8send(net::bigint), '')
            from bought join users u on u.id = agent_id where ${place}
          ), ''), null, coalesce(max(net) filter (where not ${place}), 0)::bigint, coalesce(min(net) filter (where not ${place}), 0)::bigint
        from bought
      )
      select best, others, others_most as "othersMost", others_least as "othersLeast" from lists`,
    values: [from, until, of.network, of.supplier],
  })
  return rows
}

/** users.seq of the best, and of some more: whoever may be among them. */
async function selectBestSeqs(db: Queryable, days: Days, of: Filter, most: number): Promise<number[]> {
  const likely = findLikelyAgents(await selectLists(db, days, of, false), most)
  if (likely && likely.length <= MOST_LIKELY) return likely
  const lists = await selectLists(db, days, of, true)
  return findBestAgents(
    lists.flatMap(({ best, others }) => (others ? [best, others] : [best])),
    most,
  )
}

const CHOSEN = 'chosen as materialized (select id from users where seq = any($4::bigint[]))'

/** The best `most` of these agents with all their sums. Whole weeks are read from what was kept of them. */
async function selectSums(db: Queryable, { from, until }: Days, seqs: number[], most: number): Promise<AgentRow[]> {
  const { rows } = await db.query<AgentRow>({
    name: 'best-agents-of-range',
    text: `with ${listWeeksAndDays('agents')}, ${CHOSEN},
      bought as (
        select kept.* from weeks cross join chosen cross join lateral (
          select ${COUNTS} from agent_weeks w where w.week = weeks.day and w.agent_id = chosen.id offset 0
        ) kept
        union all select kept.* from rest cross join chosen cross join lateral (
          select ${COUNTS} from delivery_totals t where t.day = rest.day and t.agent_id = chosen.id offset 0
        ) kept
        union all ${FRESH} and agent_id in (select id from chosen)
      ) ${BEST}`,
    values: [from, until, most, seqs],
  })
  return rows
}

/** The same of a network or supplier, which the kept weeks don't tell apart. */
async function selectSumsOf(db: Queryable, { from, until }: Days, of: Filter, seqs: number[], most: number): Promise<AgentRow[]> {
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
