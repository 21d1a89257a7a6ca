import type { SupplierName } from '../../../shared/suppliers.ts'
import type { DataSupplier } from '../../integrations/supplier/data-supplier.ts'
import type { Ctx } from '../../platform/context.ts'
import type { NewJob } from '../../platform/job-queue.ts'
import type { Pace } from '../../platform/pace.ts'
import { selectRestMs, takeTurn } from './health.sql.ts'

/** The suppliers that this shop is set up for. */
export type Suppliers = ReadonlyMap<SupplierName, DataSupplier>

/** What is needed to work with them. */
export type SupplierDesk = { suppliers: Suppliers; pace: Pace['supplier'] }

export const SEND_QUEUE = 'supplier-send'
export const ASK_QUEUE = 'supplier-ask'
export const BALANCE_QUEUE = 'supplier-balance'

/** An order may be sent again at most this often although the supplier might have had it; the database says so too. */
export const MOST_RESENT = 2

/**
 * `waited`: it comes back at the time that it was promised a turn at the supplier. `urgent`: it goes by the lane in
 * which orders are asked about whose outcome is not known.
 */
export type DeliveryJob = { orderId: string; waited?: 1; urgent?: 1 }

/**
 * Waits for the supplier's rest to end and for a turn at it. True when the call may be made now; else the job was put
 * back for later, and is done for now.
 */
export async function takeTurnOrWait(
  ctx: Ctx,
  { name, callsPerMinute }: DataSupplier,
  endpoint: 'send' | 'ask',
  { orderId, waited, urgent }: DeliveryJob,
): Promise<boolean> {
  const queue = endpoint === 'send' ? SEND_QUEUE : ASK_QUEUE
  const lane = urgent === 1 ? { urgent: 1 as const } : {}
  const restMs = await selectRestMs(ctx.db, name)
  if (restMs > 0) {
    await ctx.jobs.enqueue(ctx.db, queue, [{ data: { orderId, ...lane }, key: orderId, afterMs: restMs }])
    return false
  }
  const turn = { supplier: name, endpoint, perMinute: callsPerMinute, waited: waited === 1, urgent: urgent === 1 }
  const waitMs = await takeTurn(ctx.db, turn)
  if (waitMs === 0) return true
  await ctx.jobs.enqueue(ctx.db, queue, [{ data: { orderId, waited: 1, ...lane }, key: orderId, afterMs: waitMs }])
  return false
}

/** A job to ask about an order; `urgent` when its outcome is not known or a notice has come. */
export function askJob(orderId: string, { afterMs, urgent = false }: { afterMs?: number; urgent?: boolean } = {}): NewJob {
  const data: DeliveryJob = urgent ? { orderId, urgent: 1 } : { orderId }
  return { data, key: orderId, urgent, ...(afterMs === undefined ? {} : { afterMs }) }
}
