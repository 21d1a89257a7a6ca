import { MOST_UNPROVEN_CALLS } from '../../../../shared/webhook-rules.ts'
import type { WebhookAnswer } from '../../../integrations/webhooks/webhook-gateway.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import type { Lanes } from '../../../platform/job-lanes.ts'
import { WEBHOOK_OFF_QUEUE, WEBHOOK_QUEUE, type WebhookJob, webhookJob, webhookOffJob } from '../../../platform/queues.ts'
import { openSecret } from '../../../platform/seal-secret.ts'
import type { Timings } from '../../../platform/timings.ts'
import type { Signing } from './create-endpoint.ts'
import {
  SWITCHED_OFF,
  selectDelivery,
  takeUnprovenCall,
  updateDelivery,
  updateEndpointHealth,
  updateWaitingDropped,
} from './webhooks.sql.ts'

/** An endpoint that has taken nothing for this long is switched off. */
const OFF_AFTER_MS = 5 * 86_400_000
const GONE = 410
const NOT_PROVEN = 'it answered none of its first calls'

/** How many deliveries one agent's endpoints get at once, in all processes together, and what a process makes at once for all. */
export const WEBHOOK_LANES: Lanes = { usual: { atOnce: 12, perGroup: 4 }, behind: { atOnce: 6, perGroup: 2 } }

type Sending = Signing & Pick<Timings['webhooks'], 'retryAfterMs' | 'slowAfterMs'>

/**
 * Sends one event to one endpoint. A failure is tried again after each of `retryAfterMs`, by a job of its own rather than by the
 * queue's retries: a receiver that is down is no stuck work of the shop. What was to go to one that fails or is slow by now goes behind.
 */
export async function sendWebhook(
  ctx: Ctx,
  { gateway, secretsKey, retryAfterMs, slowAfterMs }: Sending,
  { deliveryId }: WebhookJob,
  { isBehind }: { isBehind: boolean },
): Promise<void> {
  const due = await selectDelivery(ctx.db, deliveryId, ctx.now)
  if (due?.status !== 'waiting') return
  if (due.isWorking && due.isBehind && !isBehind) {
    await ctx.jobs.enqueue(ctx.db, WEBHOOK_QUEUE, [webhookJob({ ...due, id: deliveryId })])
    return
  }
  const { endpointId, eventId, body, url, secret, oldSecret, attempts } = due
  const secrets = [secret, ...(oldSecret ? [oldSecret] : [])].map((sealed) => openSecret(sealed, secretsKey))
  // Nobody is called again and again who has never answered: the address may be a stranger's.
  const mayCall = due.isWorking && (await takeUnprovenCall(ctx.db, endpointId, MOST_UNPROVEN_CALLS))
  const sent: WebhookAnswer = mayCall
    ? await gateway.send({ url, id: eventId, body, at: ctx.now, secrets })
    : { answer: null, problem: due.isWorking ? NOT_PROVEN : SWITCHED_OFF, tookMs: 0 }
  const works = sent.answer !== null && sent.answer >= 200 && sent.answer < 300
  const pauseMs = works || !mayCall ? undefined : retryAfterMs[attempts]
  const disabledIfSince = sent.answer === GONE || !mayCall ? ctx.now : new Date(ctx.now.getTime() - OFF_AFTER_MS)

  await transaction(ctx.db, async (tx) => {
    // The endpoint before its deliveries, as in every write.
    const isOff =
      due.isWorking &&
      (await updateEndpointHealth(tx, endpointId, { works, isSlow: sent.tookMs > slowAfterMs, now: ctx.now, disabledIfSince }))
    const again = isOff ? undefined : pauseMs
    const nextAt = again === undefined ? null : new Date(ctx.now.getTime() + again)
    const status = works ? 'delivered' : again === undefined ? 'failed' : 'waiting'
    await updateDelivery(tx, { id: deliveryId, ...sent, status, now: ctx.now, nextAt })
    if (again !== undefined)
      await ctx.jobs.enqueue(tx, WEBHOOK_QUEUE, [webhookJob({ ...due, id: deliveryId, isBehind: true }, { afterMs: again })])
    if (!isOff) return
    await updateWaitingDropped(tx, endpointId)
    await ctx.jobs.enqueue(tx, WEBHOOK_OFF_QUEUE, [webhookOffJob(endpointId)])
  })
}
