import { recordAdminAction } from '../../../platform/audit.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { QUERY_STATUS_QUEUE, queryStatusJob } from '../../../platform/queues.ts'
import { selectDelivery } from '../../orders/orders/deliveries.sql.ts'
import { selectOrder } from '../../orders/orders/orders.sql.ts'

/**
 * Asks the supplier about an order as soon as it may be called. Pressed twice, it is asked once.
 * @throws NotFound, NothingToAsk
 */
export async function queryStatusNow(ctx: Ctx, orderId: string): Promise<void> {
  requireActor(ctx)
  await transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'orders')
    const order = await selectOrder(tx, orderId)
    if (!order) throw new NotFound('order')
    const delivery = await selectDelivery(tx, orderId)
    if (!delivery || !['accepted', 'unknown', 'failed'].includes(delivery.status)) throw new NothingToAsk()
    // A key of its own: the next regular query may be an hour away and would block this one.
    await ctx.jobs.enqueue(tx, QUERY_STATUS_QUEUE, [{ ...queryStatusJob(orderId, { urgent: true }), key: `${orderId}:by-hand` }])
    await recordAdminAction(tx, ctx, {
      action: 'order.query',
      subject: { type: 'order', id: orderId },
      after: { supplier: delivery.supplier, supplierStatus: delivery.status },
    })
  })
  ctx.jobs.wake(QUERY_STATUS_QUEUE)
}

class NothingToAsk extends AppError {
  constructor() {
    super('CONFLICT', 'There is nothing to ask a supplier about: it is not with one, or it has given its last word.')
  }
}
