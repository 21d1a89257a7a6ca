import type { SupplierName } from '../../../../shared/suppliers.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { BALANCE_QUEUE, balanceJob, SEND_QUEUE, sendJob } from '../../../platform/queues.ts'
import { forgetGaps } from '../supplier/candidates.sql.ts'
import { announceFloats } from './events.ts'
import { halfOpenBreaker, lockHealth, selectHeldIds } from './floats.sql.ts'

/**
 * Lets orders through to a supplier again, also of bundles that it did not sell, and makes those that wait there due at once, in the order in which they were bought. The first
 * that fails opens the circuit breaker again. Pressing it twice sends nothing twice: the jobs are the same, and a delivery is claimed once.
 * Returns how many orders are on their way.
 */
export async function retrySupplier(ctx: Ctx, name: SupplierName): Promise<number> {
  const count = await transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'orders')
    const { wasStopped } = await lockHealth(tx, name)
    const ids = (await selectHeldIds(tx, name)).map(({ orderId }) => orderId)
    await halfOpenBreaker(tx, name)
    await forgetGaps(tx, name)
    await ctx.jobs.hasten(tx, SEND_QUEUE, ids)
    await ctx.jobs.enqueue(
      tx,
      SEND_QUEUE,
      ids.map((orderId) => sendJob(orderId)),
    )
    await ctx.jobs.enqueue(tx, BALANCE_QUEUE, [balanceJob()])
    // A second press a moment later changes nothing, so there is nothing to record.
    if (wasStopped) {
      await recordAdminAction(tx, ctx, { action: 'supplier.retry', subject: { type: 'supplier', id: name }, after: { orders: ids.length } })
    }
    return ids.length
  })
  ctx.jobs.wake(SEND_QUEUE)
  ctx.jobs.wake(BALANCE_QUEUE)
  announceFloats(ctx)
  return count
}
