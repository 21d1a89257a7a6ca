import { randomUUID } from 'node:crypto'
import { MAX_TEST_EVENTS } from '../../../../shared/webhook-rules.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, Forbidden, NotFound } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { WEBHOOK_QUEUE, webhookJob } from '../../../platform/queues.ts'
import { countTestEvents } from '../developer-api/developer-api.sql.ts'
import { insertTestDelivery, lockEndpoint } from './webhooks.sql.ts'

/**
 * Sends an event of the type `endpoint.test`, so that an agent sees whether an endpoint answers. Returns the event's id.
 * @throws Forbidden for a customer; NotFound; AppError (CONFLICT) while the endpoint is switched off, and after too many.
 */
export async function sendTestEvent(ctx: Ctx, id: string): Promise<string> {
  const eventId = randomUUID()
  await transaction(ctx.db, async (tx) => {
    const { id: userId, level } = await lockActor(tx, ctx)
    if (level === 'Customer') throw new Forbidden('Webhooks are for agents. Become an agent first.')
    const endpoint = await lockEndpoint(tx, { id, userId })
    if (!endpoint) throw new NotFound('webhook')
    if (endpoint.disabledAt) throw new AppError('CONFLICT', 'This webhook is switched off. Save it again to switch it on.')
    if ((await countTestEvents(tx, userId)) >= MAX_TEST_EVENTS) {
      throw new AppError('CONFLICT', `You have sent ${MAX_TEST_EVENTS} test events within a day. Please go on tomorrow.`)
    }
    const body = JSON.stringify({ type: 'endpoint.test', timestamp: ctx.now.toISOString(), data: {} })
    const delivery = await insertTestDelivery(tx, endpoint, { id: eventId, body, now: ctx.now })
    await ctx.jobs.enqueue(tx, WEBHOOK_QUEUE, [webhookJob({ id: delivery, userId, isBehind: endpoint.isBehind })])
  })
  ctx.jobs.wake(WEBHOOK_QUEUE)
  return eventId
}
