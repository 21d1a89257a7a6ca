import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, Forbidden, NotFound } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { WEBHOOK_QUEUE, webhookJob } from '../../../platform/queues.ts'
import { lockEndpointOfDelivery, updateDeliveryWaiting } from './webhooks.sql.ts'

/**
 * Sends an event to its endpoint once more, now, also one that arrived: under the same id, so that the receiver can tell.
 * @throws Forbidden for a customer; NotFound; AppError (CONFLICT) while the endpoint is switched off or has ended.
 */
export async function retryDelivery(ctx: Ctx, id: string): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const { id: userId, level } = await lockActor(tx, ctx)
    if (level === 'Customer') throw new Forbidden('Webhooks are for agents. Become an agent first.')
    const endpoint = await lockEndpointOfDelivery(tx, { id, userId })
    if (!endpoint) throw new NotFound('delivery')
    if (endpoint.disabledAt || endpoint.endedAt) {
      throw new AppError('CONFLICT', 'This webhook is switched off. Save it again to switch it on.')
    }
    await updateDeliveryWaiting(tx, id, ctx.now)
    await ctx.jobs.enqueue(tx, WEBHOOK_QUEUE, [webhookJob({ id, userId, isBehind: endpoint.isBehind })])
    // A retry may be waiting for its time already.
    await ctx.jobs.hasten(tx, WEBHOOK_QUEUE, [id])
  })
  ctx.jobs.wake(WEBHOOK_QUEUE)
}
