import type { DataSupplier } from '../../../integrations/supplier/data-supplier.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type DeliveryJob, QUERY_STATUS_QUEUE, SEND_QUEUE } from '../../../platform/queues.ts'
import { acquireCall, selectOpenMs } from './health.sql.ts'

/**
 * Reserves a call to a supplier, within its rate limit and while its circuit breaker is closed. True when the call may be
 * made now; otherwise the job was queued again for later and must return.
 */
export async function reserveCall(
  ctx: Ctx,
  { name, callsPerMinute }: DataSupplier,
  endpoint: 'send' | 'ask',
  { orderId, waited, urgent, earlier }: DeliveryJob,
): Promise<boolean> {
  const queue = endpoint === 'send' ? SEND_QUEUE : QUERY_STATUS_QUEUE
  const data = { orderId, ...(urgent === 1 && { urgent }), ...(earlier !== undefined && { earlier }) }
  const key = earlier ?? orderId
  const openMs = await selectOpenMs(ctx.db, name)
  if (openMs > 0) {
    await ctx.jobs.enqueue(ctx.db, queue, [{ data, key, afterMs: openMs }])
    return false
  }
  const turn = { supplier: name, endpoint, perMinute: callsPerMinute, waited: waited === 1, urgent: urgent === 1 }
  const waitMs = await acquireCall(ctx.db, turn)
  if (waitMs === 0) return true
  await ctx.jobs.enqueue(ctx.db, queue, [{ data: { ...data, waited: 1 }, key, afterMs: waitMs }])
  return false
}
