import type { SupplierName } from '../../../../shared/suppliers.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { NOTIFY_QUEUE, notifyJob } from '../../../platform/queues.ts'
import { cancelUnsent, lockDelivery } from '../../orders/orders/deliveries.sql.ts'
import { announceDelivery } from '../../orders/orders/events.ts'
import { announceFloats } from './events.ts'
import { selectHeldIds } from './floats.sql.ts'

/**
 * Takes the orders that wait at a supplier back, so that a person processes them. One that is being sent meanwhile stays there: each is
 * looked at again under its lock. Returns how many were taken.
 */
export async function releaseHeldOrders(ctx: Ctx, name: SupplierName): Promise<number> {
  const taken = await transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'orders')
    const released: string[] = []
    for (const { orderId } of await selectHeldIds(tx, name)) {
      const delivery = await lockDelivery(tx, orderId)
      // One that was completed is sent again because of a report: only the supplier's refusal lets it be refunded.
      if (delivery?.status !== 'waiting' || delivery.orderStatus !== 'pending') continue
      await cancelUnsent(tx, orderId, 'an admin took it back to process it by hand', ctx.now)
      released.push(orderId)
    }
    if (released.length === 0) return released
    await ctx.jobs.enqueue(
      tx,
      NOTIFY_QUEUE,
      released.map((orderId) => notifyJob('order', orderId)),
    )
    await recordAdminAction(tx, ctx, {
      action: 'supplier.release',
      subject: { type: 'supplier', id: name },
      after: { orders: released.length },
    })
    return released
  })
  ctx.jobs.wake(NOTIFY_QUEUE)
  for (const orderId of taken) await announceDelivery(ctx, orderId)
  announceFloats(ctx)
  return taken.length
}
