import { isoDay } from '../../../shared/dates.ts'
import type { SmsGateway } from '../../integrations/sms/sms-gateway.ts'
import type { SmsOutcome } from '../../integrations/sms/sms-sender.ts'
import { raiseAlarm } from '../../platform/alarms.ts'
import type { Ctx } from '../../platform/context.ts'
import { countDay, giveBackDay } from '../../platform/day-caps.sql.ts'
import { type Tx, transaction } from '../../platform/db.ts'
import { SMS_QUEUE, type SmsJob, smsJob } from '../../platform/queues.ts'
import { lockMessage, type MessageRow, markMessageSending, updateMessage } from './messages.sql.ts'

/** The text to send, where the stored one has a gap for what must not be stored; null when the message has become pointless. */
type FillIn = (tx: Tx, message: MessageRow) => Promise<string | null>

/**
 * Sends a message if it is still due and below the daily cap. One that may have been sent is not sent again. Safe to run
 * twice or concurrently.
 * @throws when the service did not take it; the job's retries apply.
 */
export async function sendMessage(ctx: Ctx, gateway: SmsGateway, { messageId }: SmsJob, fillIn?: FillIn): Promise<void> {
  const { sender } = gateway
  if (!sender) return
  const message = await transaction(ctx.db, (tx) => claim(tx, ctx, gateway, messageId, fillIn))
  if (!message) return
  const attempt = message.attempts + 1
  const outcome = await sender.send({ to: message.receiver, text: message.body })
  await record(ctx, messageId, attempt, outcome)
  if (outcome.outcome === 'not-taken') throw new Error(`the message service did not take it: ${outcome.reason}`)
}

async function claim(tx: Tx, ctx: Ctx, { timings }: SmsGateway, messageId: string, fillIn?: FillIn): Promise<MessageRow | null> {
  const message = await lockMessage(tx, messageId)
  if (!message) throw new Error(`there is no message ${messageId}`)
  if (message.status === 'sending') {
    await recoverSending(tx, ctx, message, timings.callDeadAfterMs)
    return null
  }
  if (message.status !== 'waiting') return null
  const body = fillIn ? await fillIn(tx, message) : message.body
  if (body === null) {
    await updateMessage(tx, messageId, { status: 'failed', detail: 'there was nothing to say any more' }, ctx)
    return null
  }
  const day = await countDay(tx, 'sms_days', isoDay(ctx.now), message.dailyCap)
  if (day.warnNow || day.fullNow) raiseAlarm(ctx.log, 'sms-daily-cap', { used: day.used, cap: message.dailyCap })
  if (!day.allowed) {
    await updateMessage(tx, messageId, { status: 'over-cap', detail: `the day's ${message.dailyCap} messages are used up` }, ctx)
    return null
  }
  await markMessageSending(tx, messageId, ctx.now)
  return { ...message, body }
}

/** Another process is sending it, or died while it did: then it may have been sent and is left alone. */
async function recoverSending(tx: Tx, ctx: Ctx, { id, sinceSendingMs }: MessageRow, callDeadAfterMs: number) {
  if (sinceSendingMs < callDeadAfterMs) {
    await ctx.jobs.enqueue(tx, SMS_QUEUE, [smsJob(id, { afterMs: callDeadAfterMs - sinceSendingMs + 1 })])
    return
  }
  await updateMessage(tx, id, { status: 'unknown', detail: 'the shop stopped in the middle of sending it' }, ctx)
}

async function record(ctx: Ctx, messageId: string, attempt: number, outcome: SmsOutcome) {
  const stands = { now: ctx.now, attempt }
  if (outcome.outcome === 'accepted') {
    await updateMessage(ctx.db, messageId, { status: 'sent', detail: '', providerId: outcome.providerId }, stands)
    return
  }
  const { reason: detail } = outcome
  if (outcome.outcome === 'not-taken') {
    await transaction(ctx.db, async (tx) => {
      if (await updateMessage(tx, messageId, { status: 'waiting', detail }, stands)) await giveBackDay(tx, 'sms_days', isoDay(ctx.now))
    })
    return
  }
  await updateMessage(ctx.db, messageId, { status: outcome.outcome === 'rejected' ? 'failed' : 'unknown', detail }, stands)
  raiseAlarm(ctx.log, 'sms-not-sent', { messageId, outcome: outcome.outcome, reason: detail })
}
