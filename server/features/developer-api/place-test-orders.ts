import { createHash } from 'node:crypto'
import type { Ctx } from '../../platform/context.ts'
import { type Tx, transaction } from '../../platform/db.ts'
import { InsufficientBalance, KeyReused, PurchasesPaused, Unauthenticated } from '../../platform/errors.ts'
import { TEST_ORDER_QUEUE, testOrderJob } from '../../platform/queues.ts'
import type { Timings } from '../../platform/timings.ts'
import { type PurchaseLine, type RefusedLine, storeLines } from '../purchases/purchases.sql.ts'
import { refuseLines } from '../purchases/refuse-lines.ts'
import {
  type ApiOrderRow,
  insertTestOrders,
  insertTestPurchase,
  lockTestBuyer,
  type NewTestOrder,
  selectPrices,
  selectTestPurchase,
} from './developer-api.sql.ts'

type Wanted = { keyHash: Buffer; key: string; lines: PurchaseLine[]; pathOf: (line: RefusedLine) => string }

/**
 * Takes test orders as `placeOrdersWithKey` takes real ones, without wallet, ledger and delivery. What becomes of each follows from
 * the last digits of its receiver (`TEST_OUTCOMES`).
 * @throws Unauthenticated when the key works no more, KeyReused, and each refusal that a real purchase has.
 */
export async function placeTestOrders(
  ctx: Ctx,
  timings: Timings['testOrders'],
  { keyHash, key, lines, pathOf }: Wanted,
): Promise<{ orders: ApiOrderRow[]; replayed: boolean }> {
  const placed = await transaction(ctx.db, async (tx) => {
    const buyer = await lockTestBuyer(tx, keyHash, ctx.now)
    if (!buyer) throw new Unauthenticated('This key does not work: it is unknown, has expired or was ended.')
    const requestHash = createHash('sha256').update(storeLines(lines)).digest()
    const purchase = { ...buyer, key, requestHash, now: ctx.now }
    const purchaseId = await insertTestPurchase(tx, purchase)
    if (purchaseId === null) {
      const orders = await selectTestPurchase(tx, purchase)
      if (!orders) throw new KeyReused()
      return { orders, replayed: true }
    }
    refuseByNumber(lines, pathOf)
    const prices = await selectPrices(tx, buyer.level, lines)
    const [first, ...others] = prices.flatMap(({ refused }) => refused ?? [])
    if (first) throw refuseLines([first, ...others], pathOf)
    const wanted = lines.map((line, i) => toTestOrder(line, prices[i]?.pricePesewas ?? 0, timings))
    return { orders: await addOrders(tx, ctx, { purchaseId, userId: buyer.userId, wanted }), replayed: false }
  })
  if (!placed.replayed) ctx.jobs.wake(TEST_ORDER_QUEUE)
  return placed
}

async function addOrders(
  tx: Tx,
  ctx: Ctx,
  { purchaseId, userId, wanted }: { purchaseId: string; userId: string; wanted: NewTestOrder[] },
): Promise<ApiOrderRow[]> {
  const orders = (await insertTestOrders(tx, { purchaseId, userId, orders: wanted, now: ctx.now })).toSorted((a, b) => a.seq - b.seq)
  const jobs = orders.flatMap(({ seq }, i) => {
    const plan = wanted[i]
    return plan?.next ? [testOrderJob(seq, plan.afterMs)] : []
  })
  await ctx.jobs.enqueue(tx, TEST_ORDER_QUEUE, jobs)
  return orders
}

function toTestOrder(
  { network, offer, receiver }: PurchaseLine,
  pricePesewas: number,
  { soonMs, lateMs }: Timings['testOrders'],
): NewTestOrder {
  const order = { network: network ?? '', offer, receiver, pricePesewas }
  if (receiver.endsWith('0003')) return { ...order, next: null, afterMs: 0 }
  if (receiver.endsWith('0002')) return { ...order, next: 'rejected', afterMs: soonMs }
  return { ...order, next: 'completed', afterMs: receiver.endsWith('0004') ? lateMs : soonMs }
}

function refuseByNumber(lines: PurchaseLine[], pathOf: (line: RefusedLine) => string) {
  for (const [index, { receiver, offer, network, expectedPricePesewas }] of lines.entries()) {
    const line = { index, offer, network }
    if (receiver.endsWith('0006')) throw new InsufficientBalance('Insufficient balance. Please top up your wallet.')
    if (receiver.endsWith('0007')) throw refuseLines([{ ...line, code: 'PRICE_CHANGED', pricePesewas: expectedPricePesewas + 100 }], pathOf)
    if (receiver.endsWith('0008')) throw refuseLines([{ ...line, code: 'NOT_AVAILABLE' }], pathOf)
    if (receiver.endsWith('0009')) throw new PurchasesPaused()
  }
}
