import type { Network } from '../../../shared/networks.ts'
import { ORDER_STATUSES, type OrderStatus } from '../../../shared/orders.ts'
import type { Queryable } from '../../platform/db.ts'
import { likePattern, type Page } from '../../platform/http/lists.ts'
import {
  BLOCK_SIZE,
  countAmongNewest,
  countOrders,
  countOrdersByBlock,
  type OrderRange,
  searchFew,
  searchMany,
  searchNewest,
  selectSeqs,
} from './order-lists.sql.ts'
import { type OrderRow, selectOrdersBySeq } from './orders.sql.ts'

/** A search counts no further than this: "1,000 and more" says as much, and costs the same with a million orders. */
export const MOST_FOUND = 1_000
/** From this share of the newest 2,000 on, reading from the newest on finds a page sooner than the index of words. */
const BROAD = 100
const ANY_SEQ = Number.MAX_SAFE_INTEGER

export type OrderPage = { orders: OrderRow[]; total: number }

/** A page of all orders, newest first, at a cost that does not grow with how many there are. */
export async function listAllOrders(
  db: Queryable,
  filter: Page & { status: OrderStatus | null; network: Network | null },
): Promise<OrderPage> {
  const { search, limit, offset, ...range } = filter
  if (search === null) return browse(db, range, { limit, offset })
  const word = search.toLowerCase()
  // No field but the status holds these words, and it is not among the searchable ones, since it changes.
  const asStatus = word.length > 2 ? ORDER_STATUSES.find((status) => status.includes(word)) : undefined
  if (asStatus) {
    if (range.status !== null && range.status !== asStatus) return { orders: [], total: 0 }
    return browse(db, { ...range, status: asStatus }, { limit, offset })
  }
  const found = await searchAll(db, likePattern(search) as string, range)
  const orders = await selectOrdersBySeq(db, found.slice(offset, offset + limit))
  return { orders, total: Math.min(found.length, MOST_FOUND) }
}

async function browse(db: Queryable, range: OrderRange, { limit, offset }: { limit: number; offset: number }): Promise<OrderPage> {
  const total = await countOrders(db, range)
  if (offset >= total) return { orders: [], total }
  const skipped = offset < BLOCK_SIZE ? { upTo: ANY_SEQ, orders: 0 } : skipBlocks(await countOrdersByBlock(db, range), offset)
  const seqs = await selectSeqs(db, range, { upTo: skipped.upTo, limit, offset: offset - skipped.orders })
  return { orders: await selectOrdersBySeq(db, seqs), total }
}

/** The block that a deep page begins in, and how many orders stand before it. */
function skipBlocks(blocks: { block: number; orders: number }[], offset: number): { upTo: number; orders: number } {
  let before = 0
  for (const { block, orders } of blocks) {
    if (before + orders > offset) return { upTo: (block + 1) * BLOCK_SIZE - 1, orders: before }
    before += orders
  }
  return { upTo: 0, orders: before }
}

async function searchAll(db: Queryable, pattern: string, range: OrderRange): Promise<number[]> {
  const isBroad = (await countAmongNewest(db, pattern)) >= BROAD
  let found = isBroad ? [] : await searchFew(db, pattern, range, MOST_FOUND + 1)
  if (isBroad || found.length > MOST_FOUND) found = await searchMany(db, pattern, range, MOST_FOUND + 1)
  const newest = await searchNewest(db, pattern, range)
  return [...new Set([...found, ...newest])].sort((one, other) => other - one)
}
