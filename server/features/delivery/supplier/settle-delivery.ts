import type { Ctx } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/db.ts'
import { DECIDE_QUEUE, decideJob } from '../../../platform/queues.ts'
import { selectSettings } from '../../shop/settings/settings.sql.ts'

/** Where the settings say so, queues the job that decides the order by the supplier's answer, in this transaction. */
export async function settleDelivery(tx: Tx, ctx: Ctx, orderId: string, end: 'delivered' | 'failed' | 'rejected'): Promise<void> {
  const settings = await selectSettings(tx)
  const decides = end === 'delivered' ? settings.completeDelivered : settings.rejectRefused
  if (!decides) return
  const status = end === 'delivered' ? 'completed' : 'rejected'
  await ctx.jobs.enqueue(tx, DECIDE_QUEUE, [decideJob(orderId, status)])
}
