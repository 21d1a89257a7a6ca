import { MAX_TEST_EVENTS } from '../../../../shared/webhook-rules.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { TEST_ORDER_QUEUE, type TestOrderJob, testOrderJob } from '../../../platform/queues.ts'
import type { Timings } from '../../../platform/timings.ts'
import {
  countTestEvents,
  insertTestEvent,
  insertTestMovements,
  lockTestWallet,
  selectTestPrice,
  updateTestOrderDecided,
  updateTestOrderPlanned,
} from './developer-api.sql.ts'

/** Delivers or refuses a test order as its receiver's number says; one that is refunded after its delivery comes once more. */
export async function settleTestOrder(ctx: Ctx, { lateMs }: Timings['testOrders'], { seq }: TestOrderJob): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const decided = await updateTestOrderDecided(tx, seq, ctx.now)
    if (!decided) return
    const { userId, receiver, status } = decided
    const isRefundedLater = receiver.endsWith('0005')
    const type = status === 'completed' ? 'order.delivered' : isRefundedLater ? 'order.refunded' : 'order.refused'
    if ((await countTestEvents(tx, userId)) < MAX_TEST_EVENTS) await insertTestEvent(tx, { userId, type, seq, now: ctx.now })
    if (status === 'rejected') await refund(tx, ctx, { userId, seq })
    if (!isRefundedLater || status === 'rejected') return
    await updateTestOrderPlanned(tx, seq, { next: 'rejected', at: new Date(ctx.now.getTime() + lateMs) })
    await ctx.jobs.enqueue(tx, TEST_ORDER_QUEUE, [testOrderJob(seq, lateMs)])
  })
}

/** An order that was bought before test keys had a wallet was never paid for. */
async function refund(tx: Tx, ctx: Ctx, { userId, seq }: { userId: string; seq: number }) {
  const paidPesewas = await selectTestPrice(tx, seq)
  if (paidPesewas === null) return
  await lockTestWallet(tx, userId)
  await insertTestMovements(tx, { userId, kind: 'order-refund', lines: [{ testOrder: seq, amountPesewas: paidPesewas }], now: ctx.now })
}
