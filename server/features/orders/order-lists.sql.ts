import { NETWORKS, type Network } from '../../../shared/networks.ts'
import { ORDER_STATUSES, type OrderStatus } from '../../../shared/orders.ts'
import type { Queryable } from '../../platform/db.ts'

/** What a list of all orders is narrowed to; null for any. */
export type OrderRange = { status: OrderStatus | null; network: Network | null }

/** Consecutive orders that share one line of the kept counts; the same number stands in db/functions/count_order.sql. */
export const BLOCK_SIZE = 10_000

export async function countOrders(db: Queryable, range: OrderRange): Promise<number> {
  const { rows } = await db.query<{ total: number }>({
    name: 'count-orders',
    text: `select coalesce(sum(orders), 0) as total from order_counts
      where day = 'infinity' and ($1::text is null or status = $1) and ($2::text is null or network = $2)`,
    values: [range.status, range.network],
  })
  return rows[0]?.total ?? 0
}

/** How many orders of a range each block has, the newest block first. */
export async function countOrdersByBlock(db: Queryable, range: OrderRange): Promise<{ block: number; orders: number }[]> {
  const { rows } = await db.query<{ block: number; orders: number }>({
    name: 'count-orders-by-block',
    text: `select block, sum(orders) as orders from order_counts
      where day < 'infinity' and ($1::text is null or status = $1) and ($2::text is null or network = $2)
      group by block order by block desc`,
    values: [range.status, range.network],
  })
  return rows
}

/** The numbers of one page of a range, newest first, of the orders numbered at most `upTo`. */
export async function selectSeqs(
  db: Queryable,
  range: OrderRange,
  page: { upTo: number; limit: number; offset: number },
): Promise<number[]> {
  const { rows } = await db.query<{ seq: number }>({
    text: `select seq from (${rangeSql(range)}) ranges order by seq desc limit $2 offset $3`,
    values: [page.upTo, page.limit, page.offset],
  })
  return rows.map((row) => row.seq)
}

/** One index range for each network and status that is asked for, which the database merges without sorting. */
function rangeSql({ status, network }: OrderRange): string {
  if (!status && !network) return 'select seq from orders where seq <= $1'
  const networks = NETWORKS.filter((name) => network === null || name === network)
  const statuses = ORDER_STATUSES.filter((name) => status === null || name === status)
  // Both come from closed lists of the shop's own, none of which holds a quote.
  return networks
    .flatMap((name) => statuses.map((state) => `select seq from orders where network = '${name}' and status = '${state}' and seq <= $1`))
    .join(' union all ')
}

const IN_RANGE = '($2::text is null or o.status = $2) and ($3::text is null or o.network = $3)'

/** LIKE patterns of which an order must match one, and whether to look at when it was decided as well. */
export type Wanted = { patterns: string[]; withTimes: boolean }

const DECIDED = `to_char(o.decided_at at time zone 'UTC', 'DD/MM/YYYY HH24:MI:SS')`

/** How many of the newest 2,000 searchable orders match: whether a search is broad. */
export async function countAmongNewest(db: Queryable, { patterns, withTimes }: Wanted): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    withTimes
      ? `select count(*) filter (where s.words ilike any ($1) or ${DECIDED} ilike any ($1)) as total
         from (select * from order_search order by seq desc limit 2000) s join orders o using (seq)`
      : `select count(*) filter (where words ilike any ($1)) as total from (select words from order_search order by seq desc limit 2000) newest`,
    [patterns],
  )
  return rows[0]?.total ?? 0
}

/** For words that few orders hold: found by the index on the words, at most `most` of them, whichever. */
export async function searchFew(db: Queryable, patterns: string[], most: number): Promise<number[]> {
  const { rows } = await db.query<{ seq: number }>('select seq from order_search where words ilike any ($1) limit $2', [patterns, most])
  return rows.map((row) => row.seq)
}

/** Orders by when they were decided, found by the index on those times, at most `most` of them, whichever. */
export async function searchDecided(db: Queryable, patterns: string[], most: number): Promise<number[]> {
  const { rows } = await db.query<{ seq: number }>(
    'select seq from orders where decided_at is not null and shown_time(decided_at) ilike any ($1) limit $2',
    [patterns, most],
  )
  return rows.map((row) => row.seq)
}

export async function keepInRange(db: Queryable, seqs: number[], range: OrderRange): Promise<number[]> {
  const { rows } = await db.query<{ seq: number }>(`select o.seq from orders o where o.seq = any ($1::bigint[]) and ${IN_RANGE}`, [
    seqs,
    range.status,
    range.network,
  ])
  return rows.map((row) => row.seq)
}

/** For what many orders match: found by reading from the newest on, the newest `most` of them. */
export async function searchMany(db: Queryable, { patterns, withTimes }: Wanted, range: OrderRange, most: number): Promise<number[]> {
  const { rows } = await db.query<{ seq: number }>({
    text: `select o.seq from order_search s join orders o using (seq)
      where (s.words ilike any ($1)${withTimes ? ` or ${DECIDED} ilike any ($1)` : ''}) and ${IN_RANGE} order by o.seq desc limit $4`,
    values: [patterns, range.status, range.network, most],
  })
  return rows.map((row) => row.seq)
}

/** The same words among the few newest orders that the job has not made searchable yet. */
export async function searchNewest(db: Queryable, patterns: string[], range: OrderRange): Promise<number[]> {
  const { rows } = await db.query<{ seq: number }>({
    text: `select o.seq from orders_not_searchable o where o.words ilike any ($1) and ${IN_RANGE}`,
    values: [patterns, range.status, range.network],
  })
  return rows.map((row) => row.seq)
}
