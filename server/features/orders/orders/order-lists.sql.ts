import { NETWORKS, type Network } from '../../../../shared/networks.ts'
import { ORDER_STATUSES, type OrderStatus } from '../../../../shared/orders.ts'
import type { Queryable } from '../../../platform/db.ts'

/** The filter on a list of all orders; null for any. */
export type OrderRange = { status: OrderStatus | null; network: Network | null }

/** How many consecutive orders share one row of counts; db/functions/count_order.sql has the same number. */
export const BLOCK_SIZE = 10_000
/** How many blocks are a stretch; db/functions/fold_order_deltas.sql has the same number. */
const STRETCH_BLOCKS = 100

export async function countOrders(db: Queryable, range: OrderRange): Promise<number> {
  const { rows } = await db.query<{ total: number }>({
    name: 'count-orders',
    text: `select coalesce(sum(orders), 0) as total from order_counts
      where day = 'infinity' and ($1::text is null or status = $1) and ($2::text is null or network = $2)`,
    values: [range.status, range.network],
  })
  return rows[0]?.total ?? 0
}

/** The block in which a page begins, and how many orders of the range come before it. Whole stretches are skipped first, then whole blocks. */
export async function findBlock(db: Queryable, range: OrderRange, offset: number): Promise<{ block: number; before: number } | null> {
  const { rows } = await db.query<{ block: number; before: number }>({
    name: 'find-order-block',
    text: `with stretches as (
        select stretch, sum(orders) as orders from order_stretch_counts
        where ($1::text is null or status = $1) and ($2::text is null or network = $2) group by stretch
      ),
      newer as (select stretch, orders, sum(orders) over (order by stretch desc) - orders as before from stretches),
      chosen as (select stretch, before from newer where before <= $3 and orders > 0 order by stretch limit 1),
      blocks as (
        select c.block, sum(c.orders) as orders from order_counts c
        where c.block >= (select stretch * ${STRETCH_BLOCKS} from chosen) and c.block < (select (stretch + 1) * ${STRETCH_BLOCKS} from chosen)
          and ($1::text is null or c.status = $1) and ($2::text is null or c.network = $2) group by c.block
      )
      select block, before from (
        select block, orders, (select before from chosen) + sum(orders) over (order by block desc) - orders as before from blocks
      ) found where before <= $3 and orders > 0 order by block limit 1`,
    values: [range.status, range.network, offset],
  })
  return rows[0] ?? null
}

/** The order numbers of one page, newest first, at most `upTo`. */
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

/** One index range per network and status, which the database merges without sorting. */
function rangeSql({ status, network }: OrderRange): string {
  if (!status && !network) return 'select seq from orders where seq <= $1'
  const networks = NETWORKS.filter((name) => network === null || name === network)
  const statuses = ORDER_STATUSES.filter((name) => status === null || name === status)
  // Both come from fixed lists without quotes, so interpolating them is safe.
  return networks
    .flatMap((name) => statuses.map((state) => `select seq from orders where network = '${name}' and status = '${state}' and seq <= $1`))
    .join(' union all ')
}

const IN_RANGE = '($2::text is null or o.status = $2) and ($3::text is null or o.network = $3)'

/** LIKE patterns of which an order must match one; `withTimes` also searches decision times. */
export type Wanted = { patterns: string[]; withTimes: boolean }

const DECIDED = `to_char(o.decided_at at time zone 'UTC', 'DD/MM/YYYY HH24:MI:SS')`

/** Whether at least `broad` of the newest 2,000 searchable orders match. */
export async function isBroad(db: Queryable, { patterns, withTimes }: Wanted, broad: number): Promise<boolean> {
  const newest = withTimes
    ? `(select * from order_search order by seq desc limit 2000) s join orders o using (seq) where s.words ilike any ($1) or ${DECIDED} ilike any ($1)`
    : '(select words from order_search order by seq desc limit 2000) s where words ilike any ($1)'
  const { rows } = await db.query<{ found: number }>(`select count(*) as found from (select from ${newest} limit $2) matching`, [
    patterns,
    broad,
  ])
  return (rows[0]?.found ?? 0) >= broad
}

/** For rare words: searches the word index, for at most `most` orders in no particular order. */
export async function searchFew(db: Queryable, patterns: string[], most: number): Promise<number[]> {
  const { rows } = await db.query<{ seq: number }>('select seq from order_search where words ilike any ($1) limit $2', [patterns, most])
  return rows.map((row) => row.seq)
}

/** Orders by decision time: searches that index, for at most `most` orders in no particular order. */
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

/** For common words: scans from the newest until `most` orders match. */
export async function searchMany(db: Queryable, { patterns, withTimes }: Wanted, range: OrderRange, most: number): Promise<number[]> {
  if (!withTimes && range.status === null && range.network === null) {
    const { rows } = await db.query<{ seq: number }>('select seq from order_search where words ilike any ($1) order by seq desc limit $2', [
      patterns,
      most,
    ])
    return rows.map((row) => row.seq)
  }
  const { rows } = await db.query<{ seq: number }>({
    text: `select o.seq from order_search s join orders o using (seq)
      where (s.words ilike any ($1)${withTimes ? ` or ${DECIDED} ilike any ($1)` : ''}) and ${IN_RANGE} order by o.seq desc limit $4`,
    values: [patterns, range.status, range.network, most],
  })
  return rows.map((row) => row.seq)
}

/** The newest orders for a whole phone number, and those that its owner has bought, with an account or as a guest, at most `most` of each. */
export async function searchNumber(db: Queryable, number: string, range: OrderRange, most: number): Promise<number[]> {
  const { rows } = await db.query<{ seq: number }>({
    text: `(select o.seq from orders o where o.receiver = $1 and ${IN_RANGE} order by o.seq desc limit $4)
      union (
        select o.seq from orders o where o.user_id = (select id from users where phone = $1) and ${IN_RANGE} order by o.seq desc limit $4
      ) union (
        select o.seq from payments p join orders o on o.payment_reference = p.reference
        where p.guest_phone = $1 and ${IN_RANGE} order by o.seq desc limit $4
      )`,
    values: [number, range.status, range.network, most],
  })
  return rows.map((row) => row.seq)
}

/** The orders under a whole reference, theirs or their payment's: two indexes have them, whatever the index on words would have to read. */
export async function searchReference(db: Queryable, reference: string, range: OrderRange, most: number): Promise<number[]> {
  const { rows } = await db.query<{ seq: number }>({
    text: `(select o.seq from orders o where o.reference = $1 and ${IN_RANGE})
      union (select o.seq from orders o where o.payment_reference = $1 and ${IN_RANGE} order by o.seq desc limit $4)`,
    values: [reference, range.status, range.network, most],
  })
  return rows.map((row) => row.seq)
}

/** Searches the newest orders, which are not in the word index yet. */
export async function searchNewest(db: Queryable, patterns: string[], range: OrderRange): Promise<number[]> {
  const { rows } = await db.query<{ seq: number }>({
    text: `select o.seq from orders_not_searchable o where o.words ilike any ($1) and ${IN_RANGE}`,
    values: [patterns, range.status, range.network],
  })
  return rows.map((row) => row.seq)
}
