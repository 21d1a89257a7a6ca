import { isoDay } from '../../../../shared/dates.ts'
import type { WhatsappGateway, WhatsappOutcome, WhatsappTemplate } from '../../../integrations/whatsapp/whatsapp-gateway.ts'
import { raiseAlarm } from '../../../platform/alarms.ts'
import type { Ctx } from '../../../platform/context.ts'
import { countDay, giveBackDay, lesserCap } from '../../../platform/day-caps.sql.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { WHATSAPP_QUEUE, type WhatsappJob, whatsappJob } from '../../../platform/queues.ts'
import { lockMessage, type MessageRow, markSending, updateMessage } from './messages.sql.ts'
import { selectWhatsappSettings } from './settings.sql.ts'
import { noteWindowClosed, selectChat, selectIsOfBuyer } from './whatsapp.sql.ts'

/** Free text reaches a customer for 24 hours after their last message. A minute less, for the time that sending takes. */
export const WINDOW_MS = 24 * 3_600_000
const MARGIN_MS = 60_000
/** Nobody waits for an answer for longer. */
const REPLY_STALE_MS = 10 * 60_000
/** A text that may have been sent is sent once more: to read it twice harms nobody, and nothing is bought by it. */
const MOST_SENDINGS = 2

type Claimed = MessageRow & { template: WhatsappTemplate | null }

/**
 * Sends a message if it is still due and below the daily cap: as free text within 24 hours of the customer's last message, else as the approved
 * template if there is one. Safe to run twice or concurrently.
 * @throws when it was not taken, or may have been sent only once; the job's retries apply.
 */
export async function sendMessage(ctx: Ctx, gateway: WhatsappGateway, { whatsappId }: WhatsappJob): Promise<void> {
  const { business } = gateway
  if (!business) return
  const message = await transaction(ctx.db, (tx) => claim(tx, ctx, gateway, whatsappId))
  if (!message) return
  const { phone, template, body } = message
  const { values: _, ...text } = body
  const outcome = template ? await business.sendTemplate(phone, template) : await business.send(phone, text)
  const again = await record(ctx, message, message.attempts + 1, outcome)
  if (again !== null) throw new Error(`WhatsApp did not take it: ${again}`)
}

async function claim(tx: Tx, ctx: Ctx, { timings }: WhatsappGateway, id: string): Promise<Claimed | null> {
  const message = await lockMessage(tx, id)
  if (!message) throw new Error(`there is no WhatsApp message ${id}`)
  if (message.status === 'sending') {
    const { sinceSendingMs } = message
    if (sinceSendingMs < timings.callDeadAfterMs) {
      await ctx.jobs.enqueue(tx, WHATSAPP_QUEUE, [whatsappJob(id, { afterMs: timings.callDeadAfterMs - sinceSendingMs + 1 })])
      return null
    }
    if (message.attempts >= MOST_SENDINGS) return leave(tx, ctx, id, 'unknown', 'the shop stopped in the middle of sending it')
  } else if (message.status !== 'waiting') return null
  if (message.kind === 'reply' && ctx.now.getTime() - message.createdAt.getTime() > REPLY_STALE_MS) {
    return leave(tx, ctx, id, 'left-out', 'too late for an answer')
  }
  const chat = await selectChat(tx, message.phone)
  const isNews = message.kind === 'delivered' || message.kind === 'refunded'
  if (isNews && chat?.stoppedAt) return leave(tx, ctx, id, 'left-out', 'the customer wrote STOP')
  const { dailyCap, template: name, templateLanguage: language } = await selectWhatsappSettings(tx)
  const isFree = chat !== null && ctx.now.getTime() - chat.heardAt.getTime() < WINDOW_MS - MARGIN_MS
  const values = message.body.values
  if (!isFree && (name === null || values === undefined)) {
    return leave(tx, ctx, id, 'left-out', 'the customer has not written for 24 hours, and there is no approved message')
  }
  // Anybody may write: half of the day is kept for those who have bought something, and for news of orders.
  const most = message.kind === 'reply' && !(await selectIsOfBuyer(tx, message.phone)) ? lesserCap(dailyCap) : dailyCap
  const day = await countDay(tx, 'whatsapp_days', isoDay(ctx.now), dailyCap, { most })
  if (day.warnNow || day.fullNow) raiseAlarm(ctx.log, 'whatsapp-daily-cap', { used: day.used, cap: dailyCap })
  if (day.allowed === 0) return leave(tx, ctx, id, 'over-cap', `the day's ${dailyCap} messages are used up`)
  await markSending(tx, id, ctx.now)
  return { ...message, template: isFree || name === null ? null : { name, language, values: values ?? [] } }
}

async function leave(tx: Tx, ctx: Ctx, id: string, status: 'unknown' | 'left-out' | 'over-cap', detail: string): Promise<null> {
  await updateMessage(tx, id, { status, detail }, ctx)
  return null
}

/** Why it is to be sent again, or null when it is done with. */
async function record(ctx: Ctx, { id, phone }: MessageRow, attempt: number, outcome: WhatsappOutcome): Promise<string | null> {
  const stands = { now: ctx.now, attempt }
  if (outcome.outcome === 'accepted') {
    await updateMessage(ctx.db, id, { status: 'sent', detail: '', providerId: outcome.providerId }, stands)
    return null
  }
  const { reason: detail } = outcome
  switch (outcome.outcome) {
    case 'rejected':
      await updateMessage(ctx.db, id, { status: 'failed', detail }, stands)
      return null
    case 'unknown':
      if (attempt < MOST_SENDINGS && (await updateMessage(ctx.db, id, { status: 'waiting', detail }, stands))) return detail
      await updateMessage(ctx.db, id, { status: 'unknown', detail }, stands)
      return null
    case 'outside-window':
      await noteWindowClosed(ctx.db, phone, new Date(ctx.now.getTime() - WINDOW_MS))
  }
  await transaction(ctx.db, async (tx) => {
    if (await updateMessage(tx, id, { status: 'waiting', detail }, stands)) await giveBackDay(tx, 'whatsapp_days', isoDay(ctx.now))
  })
  return detail
}
