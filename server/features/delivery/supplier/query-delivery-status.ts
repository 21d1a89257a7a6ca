import type { DataSupplier, StatusOutcome } from '../../../integrations/supplier/data-supplier.ts'
import type { SupplierGateway } from '../../../integrations/supplier/suppliers.ts'
import { raiseAlarm } from '../../../platform/alarms.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import {
  type DeliveryJob,
  noticeJob,
  QUERY_STATUS_QUEUE,
  queryStatusJob,
  SEND_QUEUE,
  sendJob,
  VERIFYING_QUEUE,
  verifyingJob,
} from '../../../platform/queues.ts'
import { type DeliveryRow, lockDelivery, MOST_RESENT, selectDelivery, updateDelivery } from '../../orders/orders/deliveries.sql.ts'
import { announceDelivery } from '../../orders/orders/events.ts'
import { changeSupplier } from './change-supplier.ts'
import { noteOutcome } from './note-outcome.ts'
import { queryEarlierDelivery } from './query-earlier-delivery.ts'
import { reserveCall } from './reserve-call.ts'
import { settleDelivery } from './settle-delivery.ts'

/** After this many inconclusive answers the operator is alerted; the queries go on. */
const ALARM_AFTER_ASKED = 12

/**
 * Queries a supplier about an order that it has or may have, until the answer is final. One that it may have is sent again,
 * under the same reference, only after two "not found" answers well apart. Safe to run twice or concurrently.
 * @throws Error when the supplier is not configured any more.
 */
export async function queryDeliveryStatus(ctx: Ctx, gateway: SupplierGateway, job: DeliveryJob): Promise<void> {
  const { orderId, earlier } = job
  if (earlier !== undefined) return queryEarlierDelivery(ctx, gateway, { ...job, earlier })
  const known = await selectDelivery(ctx.db, orderId)
  if (known?.status === 'sending')
    return askLater(ctx, job, known.sinceSentMs < gateway.timings.callDeadAfterMs ? CALL_UNDER_WAY_MS : gateway.timings.callDeadAfterMs)
  if (!known || !isOpen(known)) return
  const supplier = gateway.suppliers.get(known.supplier)
  if (!supplier) throw new Error(`the shop is not set up for ${known.supplier}`)

  if (!(await reserveCall(ctx, supplier, 'ask', job))) return

  const outcome = await supplier.queryStatus(known)
  await noteOutcome(ctx, gateway, supplier, outcome)
  await transaction(ctx.db, (tx) => record(tx, ctx, gateway, supplier, known, outcome))
  ctx.jobs.wake(SEND_QUEUE)
  ctx.jobs.wake(VERIFYING_QUEUE)
  await announceDelivery(ctx, orderId)
}

const CALL_UNDER_WAY_MS = 500

/**
 * A quick supplier tells of the delivery before the call that ordered it has been recorded; the next regular query is minutes away. A
 * regular query may be the one that whoever is recording that call found waiting, and so adds no other.
 */
async function askLater(ctx: Ctx, { orderId, urgent }: DeliveryJob, afterMs: number) {
  await ctx.jobs.enqueue(ctx.db, QUERY_STATUS_QUEUE, [urgent ? noticeJob(orderId, { afterMs }) : queryStatusJob(orderId, { afterMs })])
}

/** A supplier may still deliver what it called failed, so webhook events about such an order are followed up. */
function isOpen({ status }: DeliveryRow): boolean {
  return status === 'accepted' || status === 'unknown' || status === 'failed'
}

async function record(
  tx: Tx,
  ctx: Ctx,
  gateway: SupplierGateway,
  supplier: DataSupplier,
  { orderId, reference }: DeliveryRow,
  answer: StatusOutcome,
) {
  const { outcome, detail } = answer
  const delivery = await lockDelivery(tx, orderId)
  // Sent once more meanwhile because of a report: the answer is about the delivery before, and says nothing of this one.
  if (!delivery || delivery.reference !== reference || !isOpen(delivery)) return
  const { status } = delivery
  const change = { now: ctx.now, asked: true }
  const again = (afterMs: number) =>
    ctx.jobs.enqueue(tx, QUERY_STATUS_QUEUE, [queryStatusJob(orderId, { afterMs, urgent: status === 'unknown' && outcome !== 'pending' })])

  if (outcome === 'delivered' || outcome === 'failed') {
    await updateDelivery(tx, orderId, { status: outcome, detail, notFound: 'never-mind', verifying: false }, change)
    if (outcome === 'delivered' && delivery.orderStatus === 'rejected') {
      raiseAlarm(ctx.log, 'delivered-after-refund', { orderId, supplier: delivery.supplier, reference: delivery.reference })
    }
    // Called failed before, a person may be sending it by hand already.
    if (outcome === 'failed' && status !== 'failed' && (await changeSupplier(tx, ctx, gateway, orderId))) return
    return settleDelivery(tx, ctx, orderId, outcome)
  }
  if (status === 'failed') return
  const verifying = answer.outcome === 'pending' && answer.verifying === true
  if (delivery.asked + 1 === ALARM_AFTER_ASKED && !verifying) notifyOperator(ctx, delivery, detail)
  if (outcome === 'pending') {
    await updateDelivery(tx, orderId, { status: 'accepted', detail, notFound: 'never-mind', verifying }, change)
    if (verifying && delivery.verifyingSince === null) await ctx.jobs.enqueue(tx, VERIFYING_QUEUE, [verifyingJob(orderId)])
    return again(nextQueryMs(gateway, delivery))
  }
  if (outcome === 'not-found' && status === 'unknown') return recordNotFound(tx, ctx, gateway, supplier, delivery, detail)
  // "Not found" for an accepted order, or a failed query, changes nothing.
  await updateDelivery(tx, orderId, { status, detail: outcome === 'not-found' ? `taken, but now: ${detail}` : delivery.detail }, change)
  return again(
    status === 'unknown' ? gateway.timings.queryUnknownAfterMs * 2 ** Math.min(delivery.asked, 5) : nextQueryMs(gateway, delivery),
  )
}

async function recordNotFound(tx: Tx, ctx: Ctx, gateway: SupplierGateway, supplier: DataSupplier, delivery: DeliveryRow, detail: string) {
  const { orderId, notFound, sinceNotFoundMs, resent } = delivery
  const { notFoundApartMs } = gateway.timings
  const change = { now: ctx.now, asked: true }
  const counts = sinceNotFoundMs === null || sinceNotFoundMs >= notFoundApartMs
  await updateDelivery(tx, orderId, { status: 'unknown', detail, ...(counts ? { notFound: 'again' as const } : {}) }, change)
  if (notFound + (counts ? 1 : 0) < 2) {
    const afterMs = counts ? notFoundApartMs : notFoundApartMs - sinceNotFoundMs
    return ctx.jobs.enqueue(tx, QUERY_STATUS_QUEUE, [queryStatusJob(orderId, { afterMs: afterMs + 1, urgent: true })])
  }
  if (supplier.canProveAbsence && resent < MOST_RESENT) {
    return ctx.jobs.enqueue(tx, SEND_QUEUE, [sendJob(orderId, { urgent: true })])
  }
  // Don't resend automatically: a person looks into it and decides the order.
  notifyOperator(ctx, delivery, detail)
  return ctx.jobs.enqueue(tx, QUERY_STATUS_QUEUE, [queryStatusJob(orderId, { afterMs: gateway.timings.longestQueryIntervalMs })])
}

function nextQueryMs({ timings }: SupplierGateway, { asked }: DeliveryRow): number {
  return Math.min(timings.queryAcceptedAfterMs * 2 ** Math.min(asked, 16), timings.longestQueryIntervalMs)
}

function notifyOperator(ctx: Ctx, { orderId, supplier, reference, status }: DeliveryRow, detail: string) {
  raiseAlarm(ctx.log, 'supplier-order-unclear', { orderId, supplier, reference, status, detail })
}
