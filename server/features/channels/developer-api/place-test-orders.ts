import { createHash } from 'node:crypto'
import type { UserLevel } from '../../../../shared/users.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { InsufficientBalance, KeyReused, PurchasesPaused, Unauthenticated } from '../../../platform/errors.ts'
import { TEST_ORDER_QUEUE, testOrderJob } from '../../../platform/queues.ts'
import type { Timings } from '../../../platform/timings.ts'
import { type PurchaseLine, type RefusedLine, storeLines } from '../../orders/purchases/purchases.sql.ts'
import { refuseLines } from '../../orders/purchases/refuse-lines.ts'
import { refuseOnTheWay } from '../../orders/purchases/refuse-on-the-way.ts'
import {
  type ApiOrderRow,
  insertTestMovements,
  insertTestOrders,
  insertTestPurchase,
  lockTestBuyer,
  type NewTestOrder,
  selectPrices,
  selectTestOnTheWay,
  selectTestPurchase,
  updateTestPurchase,
} from './developer-api.sql.ts'
import { FILL_PESEWAS, openTestWallet } from './open-test-wallet.ts'
import { presentOrderId } from './present.ts'

/** No more than a reader looks at. */
const MOST_REFUSED = 100

/** `listName`: the orders are a list. `afaForms`: the names of the details of each line that has some. */
type Wanted = {
  keyHash: Buffer
  key: string
  lines: PurchaseLine[]
  listName?: string
  afaForms?: readonly (string | null)[]
  pathOf: (line: RefusedLine) => string
  askAt?: ((index: number) => string) | undefined
}
type Placed = { purchaseId: string; orders: ApiOrderRow[]; balancePesewas: number; replayed: boolean }

/**
 * Takes test orders as `placeOrdersWithKey` takes real ones and `placeBulkWithKey` a list, from a wallet for tests and without ledger and
 * delivery. What becomes of each follows from the last digits of its receiver (`TEST_OUTCOMES`).
 * @throws Unauthenticated when the key works no more, KeyReused, and each refusal that a real purchase has.
 */
export async function placeTestOrders(ctx: Ctx, timings: Timings['testOrders'], wanted: Wanted): Promise<Placed> {
  const placed = await transaction(ctx.db, (tx) => placeOrFind(tx, ctx, timings, wanted))
  if (!placed.replayed) ctx.jobs.wake(TEST_ORDER_QUEUE)
  return placed
}

async function placeOrFind(tx: Tx, ctx: Ctx, timings: Timings['testOrders'], wanted: Wanted): Promise<Placed> {
  const { keyHash, key, lines, listName, afaForms = [], pathOf, askAt } = wanted
  const buyer = await lockTestBuyer(tx, keyHash, ctx.now)
  if (!buyer) throw new Unauthenticated('This key does not work: it is unknown, has expired or was ended.')
  const hash = createHash('sha256').update(storeLines(lines))
  if (listName !== undefined) hash.update(' as a list')
  if (afaForms.some((form) => form !== null)) hash.update(JSON.stringify(afaForms))
  const purchase = { ...buyer, key, requestHash: hash.digest(), now: ctx.now }
  const purchaseId = await insertTestPurchase(tx, purchase)
  if (purchaseId === null) return findPlaced(tx, purchase)

  refuseByNumber(lines, pathOf)
  const orders = await priceLines(tx, timings, buyer.level, wanted)
  const found = askAt && (await selectTestOnTheWay(tx, { userId: buyer.userId, lines }))
  if (found) throw refuseOnTheWay(found, askAt, (seq) => presentOrderId(seq, true))
  const totalPesewas = orders.reduce((sum, { pricePesewas }) => sum + pricePesewas, 0)
  await openTestWallet(tx, { userId: buyer.userId, forPesewas: totalPesewas, now: ctx.now })
  return { purchaseId, ...(await addOrders(tx, ctx, { purchaseId, userId: buyer.userId, listName, wanted: orders })), replayed: false }
}

async function findPlaced(tx: Tx, purchase: Parameters<typeof selectTestPurchase>[1]): Promise<Placed> {
  const found = await selectTestPurchase(tx, purchase)
  if (!found) throw new KeyReused()
  return { ...found, balancePesewas: found.balancePesewas ?? FILL_PESEWAS, replayed: true }
}

/** Each offer is priced once, however many lines have it. */
async function priceLines(
  tx: Tx,
  timings: Timings['testOrders'],
  level: UserLevel,
  { lines, pathOf }: Pick<Wanted, 'lines' | 'pathOf'>,
): Promise<NewTestOrder[]> {
  const kindOf = ({ network, offer, expectedPricePesewas }: PurchaseLine) => JSON.stringify([network, offer, expectedPricePesewas])
  const kinds = new Map(lines.map((line) => [kindOf(line), line]))
  const found = await selectPrices(tx, level, [...kinds.values()])
  const prices = new Map([...kinds.keys()].map((kind, i) => [kind, found[i]]))
  const [first, ...others] = lines.flatMap((line, index) => {
    const refused = prices.get(kindOf(line))?.refused
    return refused ? { ...refused, index } : []
  })
  if (first) throw refuseLines([first, ...others.slice(0, MOST_REFUSED - 1)], pathOf)
  return lines.map((line) => toTestOrder(line, prices.get(kindOf(line))?.pricePesewas ?? 0, timings))
}

type NewOrders = { purchaseId: string; userId: string; listName: string | undefined; wanted: NewTestOrder[] }

async function addOrders(tx: Tx, ctx: Ctx, { purchaseId, userId, listName, wanted }: NewOrders) {
  const orders = (await insertTestOrders(tx, { purchaseId, userId, orders: wanted, now: ctx.now })).toSorted((a, b) => a.seq - b.seq)
  const paid = orders.map(({ seq, pricePesewas }) => ({ testOrder: seq, amountPesewas: -pricePesewas }))
  const balancePesewas = await insertTestMovements(tx, { userId, kind: 'order', lines: paid, now: ctx.now })
  const list = listName === undefined ? null : { name: listName, firstOrder: orders[0]?.seq ?? 0 }
  await updateTestPurchase(tx, purchaseId, { balancePesewas, list })
  const jobs = orders.flatMap(({ seq }, i) => {
    const plan = wanted[i]
    return plan?.next ? [testOrderJob(seq, plan.afterMs)] : []
  })
  await ctx.jobs.enqueue(tx, TEST_ORDER_QUEUE, jobs)
  return { orders, balancePesewas }
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
