import type { WebhookEvent } from '../../../../shared/webhook-rules.ts'
import type { WebhookGateway } from '../../../integrations/webhooks/webhook-gateway.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { Forbidden, NotFound } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { WEBHOOK_QUEUE, webhookJob } from '../../../platform/queues.ts'
import { refuseUrl } from './create-endpoint.ts'
import { type EndpointRow, lockEndpoint, updateEndpoint, updateMissedWaiting } from './webhooks.sql.ts'

/** What one that was off for long gets at once; the rest is resent one by one. */
const MOST_MISSED = 5_000

/**
 * Changes where events go and which; an endpoint that was switched off works again, and gets what it missed.
 * @throws Forbidden for a customer; Invalid for an address that is not public; NotFound
 */
export async function changeEndpoint(
  ctx: Ctx,
  gateway: WebhookGateway,
  { id, url, events }: { id: string; url: string; events: WebhookEvent[] },
): Promise<EndpointRow> {
  const changed = await transaction(ctx.db, async (tx) => {
    const { id: userId, level } = await lockActor(tx, ctx)
    if (level === 'Customer') throw new Forbidden('Webhooks are for agents. Become an agent first.')
    refuseUrl(gateway, url)
    const before = await lockEndpoint(tx, { id, userId })
    if (!before) throw new NotFound('webhook')
    const endpoint = await updateEndpoint(tx, id, { url, events: [...new Set(events)] })
    if (!before.disabledAt) return endpoint
    const since = before.failingSince ?? before.disabledAt
    const missed = await updateMissedWaiting(tx, id, { since, now: ctx.now, most: MOST_MISSED })
    await ctx.jobs.enqueue(
      tx,
      WEBHOOK_QUEUE,
      missed.map((due) => webhookJob(due)),
    )
    // A try may be waiting for its time already.
    await ctx.jobs.hasten(
      tx,
      WEBHOOK_QUEUE,
      missed.map((due) => due.id),
    )
    return endpoint
  })
  ctx.jobs.wake(WEBHOOK_QUEUE)
  return changed
}
