import type { EndReportRequest } from '../../../../shared/reports.ts'
import { ANSWERS_REPORTS } from '../../../../shared/staff-rules.ts'
import type { DeliveryStatus } from '../../../../shared/suppliers.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { AlreadyDecided, AppError, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { answerNewsJob, NEWS_QUEUE, SEND_QUEUE, sendJob } from '../../../platform/queues.ts'
import { makeReference } from '../../../platform/reference.ts'
import { refuseOwnGain } from '../../people/second-factor/refuse-own-gain.ts'
import { announceUserById } from '../../people/users/events.ts'
import { selectBatchesOf } from '../orders/batch-locks.sql.ts'
import { completeReported, refundReported } from '../orders/decide-order.ts'
import { lockStanding, restartDelivery } from '../orders/deliveries.sql.ts'
import { announceOrder, announceReport } from '../orders/events.ts'
import { lockOrder, type OrderRow } from '../orders/orders.sql.ts'
import { refuseLargeRefund } from '../orders/refuse-large-refund.ts'
import {
  endOpenReport,
  hasCheckers,
  insertReportMessage,
  isResent,
  lockReport,
  type ReportRow,
  selectReport,
} from '../orders/reports.sql.ts'

type Settling = EndReportRequest & { reportId: string }

/**
 * Ends a report in exactly one way, with words that the customer reads: delivered after all, sent once more, or refunded. A
 * supplier is asked to deliver again only once it is done with the first delivery, and under a new reference.
 * @throws NotFound, AlreadyDecided, OwnGain; AppError (SECOND_PERSON_NEEDED) beyond what the actor may refund or have sent again alone
 * @throws StillAtSupplier, NotSentYet or SentTwice when the order cannot be sent again; what a refund throws.
 */
export async function settleReport(ctx: Ctx, settling: Settling): Promise<{ report: ReportRow; order: OrderRow }> {
  requireActor(ctx)
  const settled = await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, ANSWERS_REPORTS)
    const known = await selectReport(tx, settling.reportId)
    if (!known) throw new NotFound('report')
    const order = (await lockOrder(tx, known.orderId)) as OrderRow
    const open = (await lockReport(tx, settling.reportId)) as ReportRow
    await refuseOwnGain(tx, ctx, ANSWERS_REPORTS, {
      orderId: order.id,
      status: settling.outcome === 'delivered' ? 'completed' : 'rejected',
    })
    if (open.status !== 'open') throw new AlreadyDecided('report', 'closed')
    if (order.status === 'rejected' && settling.outcome !== 'refunded') throw new AlreadyDecided('order', order.status)
    const line = { reportId: open.id, userId: admin.id, fromShop: true, text: settling.text, now: ctx.now }
    const messageId = await insertReportMessage(tx, line)
    // A refund and a completion send messages of their own.
    const hasOwnNews =
      (settling.outcome === 'refunded' && order.status !== 'rejected') || (settling.outcome === 'delivered' && order.status === 'pending')
    if (!hasOwnNews) await ctx.jobs.enqueue(tx, NEWS_QUEUE, [answerNewsJob(order.id, messageId)])
    const { before, after } = await END[settling.outcome](tx, ctx, order, settling)
    await recordAdminAction(tx, ctx, {
      action: `report.${settling.outcome}`,
      subject: { type: 'order', id: order.id },
      before: { status: 'open', ...before },
      after: { status: settling.outcome, ...after },
      note: settling.text,
    })
    return { report: (await selectReport(tx, open.id)) as ReportRow, order: (await lockOrder(tx, order.id)) as OrderRow }
  })
  if (settling.outcome === 'resent') ctx.jobs.wake(SEND_QUEUE)
  announceOrder(ctx, settled.order)
  await announceReport(ctx, settled.report.id)
  if (settling.outcome === 'refunded') await announceUserById(ctx, settled.order.userId)
  return settled
}

/** What the record of it says besides. */
type Ended = { before?: object; after?: object }

const END: Record<Settling['outcome'], (tx: Tx, ctx: Ctx, order: OrderRow, settling: Settling) => Promise<Ended>> = {
  delivered: async (tx, ctx, { id: orderId, status }, { text, supplierStatus }) => {
    if (status === 'pending') await completeReported(tx, ctx, { orderId, note: text, supplierStatus })
    await endOpenReport(tx, orderId, { outcome: 'delivered', endedBy: requireActor(ctx).id, now: ctx.now })
    return {}
  },
  // The refund ends the order's open report itself, unless a process of version 0.2 refunded the order and left the report open.
  refunded: async (tx, ctx, { id: orderId, status }, { text, supplierStatus }) => {
    if (status === 'rejected') await endOpenReport(tx, orderId, { outcome: 'refunded', endedBy: requireActor(ctx).id, now: ctx.now })
    else await refundReported(tx, ctx, { orderId, note: text, supplierStatus })
    return {}
  },
  resent: sendAgain,
}

async function sendAgain(tx: Tx, ctx: Ctx, order: OrderRow, { supplierStatus }: Settling): Promise<Ended> {
  const { id: orderId, status, holdReason, batch } = order
  if (batch !== null)
    throw new StillAtSupplier(`That order is in Batch ${batch.number}, locked by ${batch.by}. Open the batch to decide it.`)
  const standing = await lockStanding(tx, orderId)
  if (supplierStatus !== undefined && supplierStatus !== standing) throw new StillAtSupplier('That order has moved on since you looked.')
  if (holdReason !== null) throw new StillAtSupplier(`That order is on hold, because ${holdReason}.`)
  if (standing !== null && MAY_STILL_DELIVER[standing] !== undefined) throw new StillAtSupplier(MAY_STILL_DELIVER[standing])
  if (standing === null && status === 'pending') throw new NotSentYet()
  if (await hasCheckers(tx, orderId))
    throw new StillAtSupplier(
      'That order is a checker from the stock. Replace it on the page of the order, then close the report as delivered.',
    )
  if (await isResent(tx, orderId)) throw new SentTwice()
  const { listedIn } = await selectBatchesOf(tx, orderId)
  const mayHaveArrived = status === 'completed' || standing === 'delivered' || listedIn !== null
  if (mayHaveArrived) await refuseLargeRefund(tx, ctx, order.pricePesewas)
  const resendReference = standing === null ? null : makeReference()
  await endOpenReport(tx, orderId, { outcome: 'resent', endedBy: requireActor(ctx).id, resendReference, now: ctx.now })
  if (resendReference !== null) {
    await restartDelivery(tx, orderId, resendReference, ctx.now)
    await ctx.jobs.enqueue(tx, SEND_QUEUE, [sendJob(orderId)])
  }
  return {
    before: standing === null ? {} : { supplierStatus: standing },
    after: mayHaveArrived ? { worthPesewas: order.pricePesewas } : {},
  }
}

/** An order whose outcome is open is never sent again: the data could arrive twice. */
const MAY_STILL_DELIVER: Partial<Record<DeliveryStatus, string>> = {
  waiting: 'That order is about to be sent to the supplier. Wait for its answer.',
  sending: 'That order is being sent to the supplier at this moment. Wait for its answer.',
  accepted: 'The supplier has that order and may still deliver it. Wait for its answer, or refund it.',
  unknown: 'The supplier may have that order and may still deliver it. Wait for its answer, or refund it.',
}

class StillAtSupplier extends AppError {
  constructor(message: string) {
    super('CONFLICT', message)
  }
}

class NotSentYet extends AppError {
  constructor() {
    super('CONFLICT', 'That order has not been sent yet. Process it under Orders, then tell the customer.')
  }
}

class SentTwice extends AppError {
  constructor() {
    super('CONFLICT', 'That order was sent again once already. Look at it with the supplier.')
  }
}
