import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { WEBHOOK_QUEUE, webhookJob } from '../../../platform/queues.ts'
import { presentEvent } from './present.ts'
import { insertDeliveries, lockNewEvents } from './webhooks.sql.ts'

const AT_ONCE = 200

/** Writes what new events say and gives them to the endpoints that want them, once, whichever process does it. */
export async function relayEvents(ctx: Ctx): Promise<void> {
  for (;;) {
    const { taken, given } = await transaction(ctx.db, (tx) => relaySome(tx, ctx))
    if (given > 0) ctx.jobs.wake(WEBHOOK_QUEUE)
    if (taken < AT_ONCE) return
  }
}

async function relaySome(tx: Tx, ctx: Ctx): Promise<{ taken: number; given: number }> {
  const events = await lockNewEvents(tx, AT_ONCE)
  if (events.length === 0) return { taken: 0, given: 0 }
  const bodies = events.map((event) => ({ id: event.id, body: JSON.stringify(presentEvent(event)) }))
  const deliveries = await insertDeliveries(tx, bodies, ctx.now)
  await ctx.jobs.enqueue(
    tx,
    WEBHOOK_QUEUE,
    deliveries.map((due) => webhookJob(due)),
  )
  return { taken: events.length, given: deliveries.length }
}
