import type { SupplierName } from '../../../../shared/suppliers.ts'
import type { SupplierGateway } from '../../../integrations/supplier/suppliers.ts'
import { raiseAlarm } from '../../../platform/alarms.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { type DeliveryJob, NOTIFY_QUEUE, notifyJob } from '../../../platform/queues.ts'
import { cancelUnsent, insertDeliveredAfterAll, lockDelivery, selectEarlierDelivery } from '../../orders/orders/deliveries.sql.ts'
import { announceDelivery } from '../../orders/orders/events.ts'
import { noteOutcome } from './note-outcome.ts'
import { reserveCall } from './reserve-call.ts'

/**
 * Queries a supplier about an order that it refused or called failed, and that has gone on since. If it has delivered it after all, the
 * order is not sent to the next any more, or its history and an alarm tell that it may arrive twice. Safe to run twice or
 * concurrently.
 */
export async function queryEarlierDelivery(ctx: Ctx, gateway: SupplierGateway, job: DeliveryJob & { earlier: string }): Promise<void> {
  const { orderId, earlier: reference } = job
  const earlier = await selectEarlierDelivery(ctx.db, reference)
  const supplier = earlier?.orderId === orderId ? gateway.suppliers.get(earlier.supplier as SupplierName) : undefined
  if (!supplier) return
  if (!(await reserveCall(ctx, supplier, 'ask', job))) return
  const outcome = await supplier.queryStatus({ reference, supplierReference: null })
  await noteOutcome(ctx, gateway, supplier, outcome)
  if (outcome.outcome !== 'delivered') return
  const standing = await transaction(ctx.db, async (tx) => {
    const delivery = await lockDelivery(tx, orderId)
    await insertDeliveredAfterAll(tx, { orderId, supplier: supplier.name, reference, now: ctx.now })
    if (delivery?.status !== 'waiting' || delivery.orderStatus !== 'pending') return delivery
    await cancelUnsent(tx, orderId, `${supplier.name} has delivered it after all, under ${reference}`, ctx.now)
    await ctx.jobs.enqueue(tx, NOTIFY_QUEUE, [notifyJob('order', orderId)])
    return delivery
  })
  const now = { supplier: standing?.supplier, status: standing?.status, order: standing?.orderStatus }
  raiseAlarm(ctx.log, 'delivered-after-all', { orderId, supplier: supplier.name, reference, now })
  ctx.jobs.wake(NOTIFY_QUEUE)
  await announceDelivery(ctx, orderId)
}
