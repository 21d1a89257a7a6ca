import type { DataSupplier, SendOutcome } from '../../../integrations/supplier/data-supplier.ts'
import type { SupplierGateway } from '../../../integrations/supplier/suppliers.ts'
import { raiseAlarm } from '../../../platform/alarms.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import {
  type DeliveryJob,
  NOTIFY_QUEUE,
  notifyJob,
  QUERY_STATUS_QUEUE,
  queryStatusJob,
  SEND_QUEUE,
  sendJob,
} from '../../../platform/queues.ts'
import {
  cancelUnsent,
  type DeliveryRow,
  lockDelivery,
  MOST_RESENT,
  markSending,
  selectDelivery,
  updateDelivery,
} from '../../orders/orders/deliveries.sql.ts'
import { announceDelivery } from '../../orders/orders/events.ts'
import { noteGap, selectFacts } from './candidates.sql.ts'
import { changeSupplier, changeSupplierUnsent } from './change-supplier.ts'
import { noteOutcome } from './note-outcome.ts'
import { reserveCall } from './reserve-call.ts'
import { settleDelivery } from './settle-delivery.ts'

/**
 * Sends a paid order to its supplier if that is still due. "Sending" is committed before the call, so that after a crash the
 * outcome is known to be unknown. Safe to run twice or concurrently.
 * @throws Error when the order has no delivery or its supplier is not configured any more.
 */
export async function sendDelivery(ctx: Ctx, gateway: SupplierGateway, job: DeliveryJob): Promise<void> {
  const { orderId } = job
  const known = await selectDelivery(ctx.db, orderId)
  if (!known) throw new Error(`order ${orderId} has no delivery`)
  if (known.status === 'sending') return recoverSending(ctx, gateway, known)
  if (!isToBeSent(known)) return
  const supplier = gateway.suppliers.get(known.supplier)

  if (known.status === 'waiting' && (await changeSupplierUnsent(ctx, gateway, known))) return
  if (!supplier) throw new Error(`the shop is not set up for ${known.supplier}`)
  // Only where "not found" proves something, whoever asked for it: a job of an earlier delivery may come late.
  if (known.status === 'unknown' && !supplier.canProveAbsence) return
  if (!(await reserveCall(ctx, supplier, 'send', job))) return

  const claimed = await transaction(ctx.db, (tx) => claim(tx, ctx, orderId, supplier))
  await announceDelivery(ctx, orderId)
  if (claimed === null) return
  const outcome = await supplier.send(claimed)
  await recordSending(ctx, gateway, supplier, claimed, outcome)
}

function isToBeSent({ status, notFound, resent }: DeliveryRow): boolean {
  return status === 'waiting' || (status === 'unknown' && notFound >= 2 && resent < MOST_RESENT)
}

/**
 * Under the order's lock: a decision by hand comes either before, and nothing is sent, or after. Returns the delivery as it is then,
 * since it may have begun anew under another reference because of a report.
 */
async function claim(tx: Tx, ctx: Ctx, orderId: string, supplier: DataSupplier): Promise<DeliveryRow | null> {
  const delivery = await lockDelivery(tx, orderId)
  // Meant for another supplier by now: that one has a job of its own.
  if (!delivery || !isToBeSent(delivery) || delivery.supplier !== supplier.name) return null
  if (delivery.status === 'unknown' && !supplier.canProveAbsence) return null
  // A resend because of a report comes after the order was completed.
  const isDue = delivery.orderStatus === 'pending' || (delivery.orderStatus === 'completed' && delivery.isResend)
  if (isDue && delivery.holdReason !== null) {
    const { status, holdReason } = delivery
    await updateDelivery(tx, orderId, { status, detail: `on hold: ${holdReason}` }, ctx)
    return null
  }
  if (isDue) return { ...delivery, ...(await markSending(tx, orderId, ctx.now)) }
  await cancelUnsent(tx, orderId, `the order was ${delivery.orderStatus} by hand`, ctx.now)
  return null
}

/** Another process is sending it or died while it did; the latter if it takes longer than any call. */
async function recoverSending(ctx: Ctx, gateway: SupplierGateway, { orderId, sinceSentMs, reference, attempts }: DeliveryRow) {
  const { callDeadAfterMs } = gateway.timings
  if (sinceSentMs < callDeadAfterMs) {
    return ctx.jobs.enqueue(ctx.db, SEND_QUEUE, [sendJob(orderId, { afterMs: callDeadAfterMs - sinceSentMs + 1 })])
  }
  await transaction(ctx.db, async (tx) => {
    const change = { status: 'unknown' as const, detail: 'the shop stopped in the middle of sending it' }
    if (!(await updateDelivery(tx, orderId, change, { now: ctx.now, attempt: { reference, attempts } }))) return
    await ctx.jobs.enqueue(tx, QUERY_STATUS_QUEUE, [queryStatusJob(orderId, { urgent: true })])
    await ctx.jobs.enqueue(tx, NOTIFY_QUEUE, [notifyJob('order', orderId)])
  })
  ctx.jobs.wake(QUERY_STATUS_QUEUE)
  await announceDelivery(ctx, orderId)
}

async function recordSending(
  ctx: Ctx,
  gateway: SupplierGateway,
  supplier: DataSupplier,
  { orderId, reference, attempts, resent, network, volumeMb }: DeliveryRow,
  outcome: SendOutcome,
) {
  const { timings } = gateway
  // While this process was delayed another attempt may have started; only the latest one records its outcome.
  const stands = { now: ctx.now, attempt: { reference, attempts } }
  const { detail } = outcome
  if (outcome.outcome === 'accepted') await alarmAboutCost(ctx, supplier, orderId, outcome.costPesewas ?? null)
  await noteOutcome(ctx, gateway, supplier, outcome)
  await transaction(ctx.db, async (tx) => {
    // In the same order as a decision, since it may go on to another supplier.
    if (outcome.outcome !== 'accepted') await lockDelivery(tx, orderId)
    if (outcome.outcome === 'accepted') {
      const change = { status: 'accepted' as const, detail, supplierReference: outcome.supplierReference }
      if (!(await updateDelivery(tx, orderId, change, stands))) return
      await ctx.jobs.enqueue(tx, QUERY_STATUS_QUEUE, [queryStatusJob(orderId, { afterMs: timings.queryAcceptedAfterMs })])
      await ctx.jobs.enqueue(tx, NOTIFY_QUEUE, [notifyJob('order', orderId)])
      return
    }
    if (outcome.outcome === 'rejected' && outcome.cause === 'too-soon' && resent === 0) {
      if (!(await updateDelivery(tx, orderId, { status: 'waiting', detail }, stands))) return
      await ctx.jobs.enqueue(tx, SEND_QUEUE, [sendJob(orderId, { afterMs: timings.sameNumberApartMs })])
      return
    }
    if (isNotTaken(outcome)) {
      if (!(await updateDelivery(tx, orderId, { status: 'waiting', detail }, stands))) return
      if (await changeSupplier(tx, ctx, gateway, orderId, { notNow: supplier.name })) return
      await ctx.jobs.enqueue(tx, SEND_QUEUE, [sendJob(orderId, { afterMs: timings.breakerOpenMs })])
      return
    }
    // A refusal after an earlier attempt may refer to that one, so treat it like an unknown outcome.
    if (outcome.outcome === 'rejected' && (outcome.cause === 'refused' || outcome.cause === 'not-sold') && resent === 0) {
      if (!(await updateDelivery(tx, orderId, { status: 'rejected', detail }, stands))) return
      if (outcome.cause === 'not-sold' && volumeMb !== null)
        await noteGap(tx, { supplier: supplier.name, network, volumeMb, detail }, ctx.now)
      if (await changeSupplier(tx, ctx, gateway, orderId)) return
      await ctx.jobs.enqueue(tx, NOTIFY_QUEUE, [notifyJob('order', orderId)])
      await settleDelivery(tx, ctx, orderId, 'rejected')
      return
    }
    if (!(await updateDelivery(tx, orderId, { status: 'unknown', detail }, stands))) return
    await ctx.jobs.enqueue(tx, QUERY_STATUS_QUEUE, [queryStatusJob(orderId, { afterMs: timings.queryUnknownAfterMs, urgent: true })])
    await ctx.jobs.enqueue(tx, NOTIFY_QUEUE, [notifyJob('order', orderId)])
  })
  ctx.jobs.wake(NOTIFY_QUEUE)
  ctx.jobs.wake(SEND_QUEUE)
  await announceDelivery(ctx, orderId)
}

/** Where the supplier says what it took and that is more than the shop keeps of the price, its cost is set too low or has changed. */
async function alarmAboutCost(ctx: Ctx, { name }: DataSupplier, orderId: string, costPesewas: number | null) {
  if (costPesewas === null) return
  const { soldForPesewas } = await selectFacts(ctx.db, orderId, [name], ctx.now)
  if (costPesewas > soldForPesewas) raiseAlarm(ctx.log, 'supplier-costs-more', { orderId, supplier: name, costPesewas, soldForPesewas })
}

/** The supplier certainly did not take the order, for a reason unrelated to the order. */
function isNotTaken(outcome: SendOutcome): boolean {
  if (outcome.outcome === 'unknown') return outcome.neverSent
  return outcome.outcome === 'rejected' && !['refused', 'not-sold', 'duplicate', 'too-soon'].includes(outcome.cause)
}
