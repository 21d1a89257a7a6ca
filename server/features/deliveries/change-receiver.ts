import type { CorrectReceiverRequest } from '../../../shared/deliveries.ts'
import { recordAdminAction } from '../../platform/audit.ts'
import { type Ctx, requireActor } from '../../platform/context.ts'
import { transaction } from '../../platform/db.ts'
import { AlreadyDecided, AppError, Invalid, NotFound } from '../../platform/errors.ts'
import { requireStaff } from '../../platform/lock-actor.ts'
import { lockDelivery } from '../orders/deliveries.sql.ts'
import { announceDelivery } from '../orders/events.ts'
import { selectOrder } from '../orders/orders.sql.ts'
import { refuseOwnGain } from '../second-factor/refuse-own-gain.ts'
import { correctOrder } from './deliveries.sql.ts'
import { findCorrectionRefusal } from './find-refusal.ts'

/**
 * Corrects the receiver of a pending order with the buyer's consent, which is kept with it and shown to the buyer. Only before it
 * was sent, or once its supplier has refused it.
 * @throws NotFound, AlreadyDecided, OwnGain, NotNow, and Invalid for the number that it has.
 */
export async function changeReceiver(
  ctx: Ctx,
  { orderId, receiver, seen, agreedBy, consent }: CorrectReceiverRequest & { orderId: string },
): Promise<void> {
  requireActor(ctx)
  await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, 'orders')
    const delivery = await lockDelivery(tx, orderId)
    const order = await selectOrder(tx, orderId)
    if (!order) throw new NotFound('order')
    if (order.status !== 'pending') throw new AlreadyDecided('order', order.status)
    await refuseOwnGain(tx, ctx, 'orders', { users: [order.userId], phones: [receiver] })
    if (order.receiver !== seen) throw new NotNow('Somebody has corrected that number meanwhile. Look at it again.')
    if (order.receiver === receiver) throw new Invalid([{ path: 'receiver', message: 'That is the number it has.' }])
    const refusal = findCorrectionRefusal({ ...order, standing: delivery?.status ?? null, notFound: 0, isResent: false })
    if (refusal !== null) throw new NotNow(refusal)
    await correctOrder(tx, { orderId, from: seen, to: receiver, agreedBy, consent, by: admin.id, now: ctx.now })
    await recordAdminAction(tx, ctx, {
      action: 'order.receiver',
      subject: { type: 'order', id: orderId },
      before: { receiver: seen },
      after: { receiver },
      note: `${agreedBy} agreed (${consent})`,
    })
  })
  await announceDelivery(ctx, orderId)
}

class NotNow extends AppError {
  constructor(message: string) {
    super('CONFLICT', message)
  }
}
