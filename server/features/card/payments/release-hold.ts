import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { SEND_QUEUE, sendJob } from '../../../platform/queues.ts'
import { selectWaitingDeliveries } from '../../orders/orders/deliveries.sql.ts'
import { holdDisputed } from '../../orders/orders/hold-disputed.ts'
import { refuseOwnGain } from '../../people/second-factor/refuse-own-gain.ts'
import { announceUserById } from '../../people/users/events.ts'
import { updateHold } from './disputes.sql.ts'
import { announceOrdersOf } from './events.ts'
import { lockPayment } from './payments.sql.ts'
import { markLooked } from './top-ups.sql.ts'

/**
 * Releases the pending orders of a disputed or refunded payment: a supplier's are sent, others may be decided. What of it was kept out of
 * wallets may be spent again. What was beyond the limits of topping up goes into the wallet with the next release of top-ups.
 * @throws NotFound, OwnGain, or 409 when they are not on hold.
 */
export async function releaseHold(ctx: Ctx, reference: string, { reason }: { reason: string }): Promise<void> {
  const payment = await transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'finance')
    const payment = await lockPayment(tx, reference)
    if (!payment) throw new NotFound('payment')
    await refuseOwnGain(tx, ctx, 'finance', { users: [payment.userId], phones: [payment.guestPhone], shops: [payment.shopId] })
    if (payment.holdReason === null && !payment.waitsForStaff) throw new AppError('CONFLICT', 'The orders of that payment are not on hold.')
    if (payment.waitsForStaff) await markLooked(tx, reference)
    await updateHold(tx, reference, null)
    await holdDisputed(tx, ctx, reference)
    const waiting = await selectWaitingDeliveries(tx, reference)
    await ctx.jobs.enqueue(
      tx,
      SEND_QUEUE,
      waiting.map((orderId) => sendJob(orderId)),
    )
    await recordAdminAction(tx, ctx, {
      action: 'payment.release',
      subject: { type: 'payment', id: reference },
      before: { onHold: payment.holdReason ?? 'beyond the limits of topping up' },
      after: { onHold: null },
      note: reason,
    })
    return payment
  })
  ctx.jobs.wake(SEND_QUEUE)
  await announceOrdersOf(ctx, payment)
  await announceUserById(ctx, payment.userId)
}
