import type { Network } from '../../../../shared/networks.ts'
import { ORDER_STATUSES, type OrderSegment, type OrderStatus } from '../../../../shared/orders.ts'
import { phoneTexts } from '../../../../shared/search.ts'
import type { Queryable } from '../../../platform/db.ts'
import { likePatterns, type Page } from '../../../platform/http/lists.ts'
import {
  BLOCK_SIZE,
  countOrders,
  findBlock,
  isBroad,
  keepInRange,
  type OrderRange,
  searchDecided,
  searchFew,
  searchMany,
  searchNewest,
  searchNumber,
  searchReference,
  selectSeqs,
  type Wanted,
} from './order-lists.sql.ts'
import { type OrderRow, selectOrdersBySeq } from './orders.sql.ts'
import { countPending, keepInSegment, selectSegment } from './segments.sql.ts'

/** Counting stops here: "1,000 and more" is as useful, and the cost stays bounded. */
const MOST_FOUND = 1_000
/** If at least this many of the newest 2,000 match, scanning from the newest is faster than the index on words. */
const BROAD = 100
/** Text that may be part of a displayed date and time. */
const PART_OF_A_TIME = /^(?!.*\d{5})[\d/: ]+$/
/** A whole phone number can only be the receiver's or the buyer's, and an index finds either. */
const WHOLE_NUMBER = /^0\d{9}$/
const WHOLE_REFERENCE = /^[A-Za-z0-9.=-]{16,64}$/
const ANY_SEQ = Number.MAX_SAFE_INTEGER

export type OrderPage = { orders: OrderRow[]; total: number }

/** A page of all orders, newest first, at a cost independent of their number. */
export async function listAllOrders(
  db: Queryable,
  filter: Page & { status: OrderStatus | null; network: Network | null; segment?: OrderSegment | null },
): Promise<OrderPage> {
  const { search, limit, offset, segment = null, ...given } = filter
  const patterns = likePatterns(search)
  const range: OrderRange = segment ? { ...given, status: 'pending' } : given
  if (segment) {
    if (search === null || patterns === null) return browseSegment(db, segment, range.network, { limit, offset })
    const found = [...new Set(await searchAll(db, search, patterns, range))]
    const newestFirst = (await keepInSegment(db, found, segment)).slice(0, MOST_FOUND)
    return { orders: await selectOrdersBySeq(db, newestFirst.slice(offset, offset + limit)), total: newestFirst.length }
  }
  if (search === null || patterns === null) return browse(db, range, { limit, offset })
  const found = await searchAll(db, search, patterns, range)
  // A search for a status alone lists all orders with that status and their exact number.
  const statuses = ORDER_STATUSES.filter((status) => status.includes(search.trim().toLowerCase()))
  const asked = statuses.filter((status) => range.status === null || range.status === status)
  if (asked.length === ORDER_STATUSES.length) return browse(db, range, { limit, offset })
  if (asked.length === 1 && found.length === 0) return browse(db, { ...range, status: asked[0] as OrderStatus }, { limit, offset })
  for (const status of asked) found.push(...(await selectSeqs(db, { ...range, status }, { upTo: ANY_SEQ, limit: MOST_FOUND, offset: 0 })))
  const newestFirst = [...new Set(found)].sort((one, other) => other - one).slice(0, MOST_FOUND)
  const orders = await selectOrdersBySeq(db, newestFirst.slice(offset, offset + limit))
  return { orders, total: newestFirst.length }
}

async function browseSegment(
  db: Queryable,
  segment: OrderSegment,
  network: Network | null,
  page: { limit: number; offset: number },
): Promise<OrderPage> {
  const [seqs, counts] = await Promise.all([selectSegment(db, segment, network, page), countPending(db)])
  const orders = await selectOrdersBySeq(db, seqs)
  const ofNetwork = counts.filter((count) => network === null || count.network === network)
  // What is in a batch waits, but is listed with its batch.
  const total = ofNetwork.reduce(
    (sum, count) => sum + (segment === 'to-decide' ? count.pending - count.waiting : count.waiting - count.batched),
    0,
  )
  return { orders, total: Math.max(total, orders.length) }
}

async function browse(db: Queryable, range: OrderRange, { limit, offset }: { limit: number; offset: number }): Promise<OrderPage> {
  const total = await countOrders(db, range)
  if (offset >= total) return { orders: [], total }
  const found = offset < BLOCK_SIZE ? null : await findBlock(db, range, offset)
  const upTo = found ? (found.block + 1) * BLOCK_SIZE - 1 : ANY_SEQ
  const seqs = await selectSeqs(db, range, { upTo, limit, offset: offset - (found?.before ?? 0) })
  return { orders: await selectOrdersBySeq(db, seqs), total }
}

/** The numbers of at least the newest `MOST_FOUND` orders with a match in a field other than the status, unordered. */
async function searchAll(db: Queryable, search: string, patterns: string[], range: OrderRange): Promise<number[]> {
  const number = phoneTexts(search).find((text) => WHOLE_NUMBER.test(text))
  if (number !== undefined) return searchNumber(db, number, range, MOST_FOUND)
  const named = WHOLE_REFERENCE.test(search.trim()) ? await searchReference(db, search.trim(), range, MOST_FOUND) : []
  if (named.length > 0) return named
  const withTimes = PART_OF_A_TIME.test(search)
  return [...(await searchIndexed(db, { patterns, withTimes }, range)), ...(await searchNewest(db, patterns, range))]
}

async function searchIndexed(db: Queryable, wanted: Wanted, range: OrderRange): Promise<number[]> {
  if (!(await isBroad(db, wanted, BROAD))) {
    const few = await searchFew(db, wanted.patterns, MOST_FOUND + 1)
    const decided = wanted.withTimes ? await searchDecided(db, wanted.patterns, MOST_FOUND + 1) : []
    const found = [...few, ...decided]
    const isAll = few.length <= MOST_FOUND && decided.length <= MOST_FOUND
    if (isAll && range.status === null && range.network === null) return found
    if (isAll) return keepInRange(db, found, range)
  }
  return searchMany(db, wanted, range, MOST_FOUND)
}
