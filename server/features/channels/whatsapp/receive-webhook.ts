import type { ReceivedStatus } from '../../../integrations/whatsapp/whatsapp-gateway.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { NotFound, Unauthenticated } from '../../../platform/errors.ts'
import { WHATSAPP_QUEUE, whatsappJob } from '../../../platform/queues.ts'
import { insertStatus, insertUnnumbered, lockNewsOutsideWindow, updateMessage } from './messages.sql.ts'
import { type Answering, receiveMessage } from './receive-message.ts'
import { WINDOW_MS } from './send-message.ts'
import { noteWindowClosed } from './whatsapp.sql.ts'

/** Refused since the customer has not written for 24 hours. */
const OUTSIDE_WINDOW = /^131047\b/

/**
 * Answers what customers wrote and notes what became of our messages. Each message is answered once, however often it comes: what throws here
 * is sent again by Meta, and what was done by then is done only once. Who shows no number is noted for the owner, once a day.
 * @throws Unauthenticated when the signature is wrong, before anything is read; NotFound without a WhatsApp number.
 */
export async function receiveWebhook(ctx: Ctx, deps: Answering, rawBody: Buffer, signature: string | undefined): Promise<void> {
  const { business } = deps.gateway
  if (!business) throw new NotFound('webhook')
  const event = business.readWebhook(rawBody, signature)
  if (!event) throw new Unauthenticated('The signature is not right.')
  for (const status of event.statuses) await noteStatus(ctx, status)
  for (const message of event.unnumbered) await insertUnnumbered(ctx.db, message, ctx.now)
  const inOrder = event.messages.sort((one, other) => one.at.getTime() - other.at.getTime())
  for (const message of inOrder) await receiveMessage(ctx, deps, message)
}

async function noteStatus(ctx: Ctx, status: ReceivedStatus) {
  await insertStatus(ctx.db, status)
  if (status.status !== 'failed' || !OUTSIDE_WINDOW.test(status.reason)) return
  await transaction(ctx.db, async (tx) => {
    const news = await lockNewsOutsideWindow(tx, status.providerId)
    if (!news) return
    await noteWindowClosed(tx, news.phone, new Date(ctx.now.getTime() - WINDOW_MS))
    await updateMessage(tx, news.id, { status: 'waiting', detail: status.reason }, ctx)
    await ctx.jobs.enqueue(tx, WHATSAPP_QUEUE, [whatsappJob(news.id)])
  })
  ctx.jobs.wake(WHATSAPP_QUEUE)
}
