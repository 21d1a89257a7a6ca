import type { DismissJobRequest } from '../../../../shared/jobs.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { AppError, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { lockMessage, updateMessage } from '../../messages/sms/messages.sql.ts'
import { cancelUnsent, lockDelivery, updateDelivery } from '../../orders/orders/deliveries.sql.ts'
import { announceDelivery } from '../../orders/orders/events.ts'
import { findReasonToKeep, isAboutMessage } from './find-reason-to-keep.ts'
import { findSubjects, type Subjects } from './find-subjects.ts'
import type { JobOrder } from './job-subjects.sql.ts'

/**
 * Dismisses a failed job for good and marks what it was about: its order is no longer sent or queried automatically, its
 * message counts as not sent. Returns the new state as a sentence for the admin.
 * @throws 409 while that would lose track of money (`findReasonToKeep`), 404 when there is no such failed job.
 */
export async function dismissJob(ctx: Ctx, jobId: string, { reason }: DismissJobRequest): Promise<string> {
  const { order, queue } = await transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'orders')
    const job = await ctx.jobs.lockFailed(tx, jobId)
    if (!job) throw new NotFound('job')
    const { orderId } = job.data as { orderId?: string }
    // Same lock as deciding or sending the order.
    if (orderId !== undefined) await lockDelivery(tx, orderId)
    const subjects = (await findSubjects(tx, [job])).get(job.id) as Subjects
    const keep = findReasonToKeep(job, subjects.order ?? null)
    if (keep !== null) throw new AppError('CONFLICT', keep)
    await leaveUndone(tx, ctx, job.queue, subjects)
    await ctx.jobs.dismissFailed(tx, jobId)
    await recordAdminAction(tx, ctx, {
      action: 'job.dismiss',
      subject: { type: 'job', id: jobId },
      before: { work: job.queue, problem: job.reason, ...(subjects.order ? { order: subjects.order.id } : {}) },
      after: null,
      note: reason,
    })
    return { ...subjects, queue: job.queue }
  })
  if (order) await announceDelivery(ctx, order.orderId)
  return `The job is dismissed.${whatIsLeft(order, queue)}`
}

function whatIsLeft(order: JobOrder | undefined, queue: string): string {
  if (order?.status !== 'pending') return ''
  const isAtSupplier = order.delivery !== null && ['waiting', 'sending', 'accepted', 'unknown'].includes(order.delivery)
  if (isAtSupplier && isAboutMessage(queue)) return ` Order ${order.id} goes on at its supplier.`
  return ` Order ${order.id} is still pending: process it or reject it by hand.`
}

async function leaveUndone(tx: Tx, ctx: Ctx, queue: string, { order, message }: Subjects) {
  if (isAboutMessage(queue)) return message && leaveUnsent(tx, ctx, message.id)
  if (order?.status !== 'pending') return
  if (order.delivery === 'waiting') return cancelUnsent(tx, order.orderId, 'an admin took it over before it was sent', ctx.now)
  if (order.delivery === 'accepted' || order.delivery === 'unknown') {
    const detail = 'an admin took it over: the shop does not ask about it by itself any more'
    await updateDelivery(tx, order.orderId, { status: order.delivery, detail }, ctx)
  }
}

/** If sending had begun, the message may have gone out. */
async function leaveUnsent(tx: Tx, ctx: Ctx, messageId: string) {
  const message = await lockMessage(tx, messageId)
  const detail = 'an admin dismissed it'
  if (message?.status === 'waiting') await updateMessage(tx, messageId, { status: 'failed', detail }, ctx)
  if (message?.status === 'sending') await updateMessage(tx, messageId, { status: 'unknown', detail }, ctx)
}
