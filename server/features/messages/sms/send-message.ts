import { isoDay } from '../../../../shared/dates.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import type { SmsOutcome } from '../../../integrations/sms/sms-sender.ts'
import { raiseAlarm } from '../../../platform/alarms.ts'
import type { Ctx } from '../../../platform/context.ts'
import { countDay, giveBackDay, lesserCap, noticeCap } from '../../../platform/day-caps.sql.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { countShareRefused } from '../../../platform/metrics.ts'
import { SMS_QUEUE, type SmsJob, smsJob } from '../../../platform/queues.ts'
import { withoutCodes } from '../../../platform/without-codes.ts'
import {
  lockMessages,
  MESSAGES_OF_THE_DAY,
  type MessageRow,
  markMessagesOverCap,
  markMessagesSending,
  type PartOfDay,
  updateMessage,
  wholeDay,
} from './messages.sql.ts'

/** Money was paid for these; how often one is sent again is limited by itself. They may use the whole day. */
const PAID = new Set<MessageRow['kind']>(['refund-code', 'checker'])
/** Somebody waits for these. All others tell of something that the shop's pages say, too. */
const CODES = new Set<MessageRow['kind']>(['payout-code', 'payout-number', 'alarm'])

/**
 * For messages with something that must not be stored. `fillIn`: the text to send, where the stored one has a gap; null when the message has become
 * pointless. `queue`: theirs, whose job fills them in. `partOf`: what they may use of the day.
 */
type Filling = {
  queue: string
  fillIn: (tx: Tx, message: MessageRow) => Promise<string | null>
  partOf?: (tx: Tx, message: MessageRow) => Promise<PartOfDay>
}

/**
 * Sends a message if it is still due and below the daily cap. One that may have been sent is not sent again. Safe to run
 * twice or concurrently.
 * @throws when the service did not take it; the job's retries apply.
 */
export async function sendMessage(ctx: Ctx, gateway: SmsGateway, job: SmsJob, filling?: Filling): Promise<void> {
  const [ended] = await sendMessages(ctx, gateway, [job], filling)
  if (ended?.status === 'rejected') throw ended.reason
}

/** The same for several at once, which are claimed in one transaction: a result for each job, in their order. */
export async function sendMessages(
  ctx: Ctx,
  gateway: SmsGateway,
  jobs: SmsJob[],
  filling?: Filling,
): Promise<PromiseSettledResult<void>[]> {
  const { sender } = gateway
  const ids = jobs.map(({ messageId }) => messageId)
  const claimed = sender ? await transaction(ctx.db, (tx) => claim(tx, ctx, gateway, ids, filling)) : []
  const byId = new Map(claimed.map((message) => [message.id, message]))
  return Promise.allSettled(
    ids.map(async (id) => {
      const message = byId.get(id)
      if (!message || !sender) return
      const answer = await sender.send({ to: message.receiver, text: message.body })
      // A service may repeat the text in its complaint.
      const outcome = filling && 'reason' in answer ? { ...answer, reason: withoutCodes(answer.reason) } : answer
      await record(ctx, id, message.attempts + 1, outcome)
      if (outcome.outcome === 'not-taken') throw new Error(`the message service did not take it: ${outcome.reason}`)
    }),
  )
}

/** Those that are to be sent now, by this process alone. */
async function claim(tx: Tx, ctx: Ctx, { timings }: SmsGateway, ids: string[], filling?: Filling): Promise<MessageRow[]> {
  const messages = await lockMessages(tx, ids)
  if (messages.length < new Set(ids).size)
    throw new Error(`there is no message ${ids.find((id) => messages.every((one) => one.id !== id))}`)
  const due: MessageRow[] = []
  for (const message of messages) {
    if (message.status === 'sending') {
      await recoverSending(tx, ctx, message, { deadAfterMs: timings.callDeadAfterMs, queue: filling?.queue ?? SMS_QUEUE })
    }
    if (message.status !== 'waiting') continue
    const body = filling ? await filling.fillIn(tx, message) : message.body
    if (body === null) await updateMessage(tx, message.id, { status: 'failed', detail: 'there was nothing to say any more' }, ctx)
    else due.push({ ...message, body })
  }
  const byPart = new Map<PartOfDay, MessageRow[]>([wholeDay, lesserCap, noticeCap].map((part) => [part, []]))
  for (const message of due) {
    const part = message.reserved ? wholeDay : ((await filling?.partOf?.(tx, message)) ?? partOf(message.kind))
    byPart.set(part, [...(byPart.get(part) ?? []), message])
  }
  const counted: MessageRow[] = []
  for (const [part, messages] of byPart) counted.push(...(await count(tx, ctx, messages, part)))
  return counted
}

function partOf(kind: MessageRow['kind']): PartOfDay {
  if (PAID.has(kind)) return wholeDay
  return CODES.has(kind) ? lesserCap : noticeCap
}

/** Counts messages that are due for the day; those beyond what `most` leaves them of its cap are dropped, and the others returned. */
async function count(tx: Tx, ctx: Ctx, due: MessageRow[], most: PartOfDay): Promise<MessageRow[]> {
  const [first] = due
  if (!first) return []
  const cap = most(first.dailyCap)
  const day = await countDay(tx, 'sms_days', isoDay(ctx.now), cap, { wanted: due.length })
  if (day.warnNow || day.fullNow) raiseAlarm(ctx.log, 'sms-daily-cap', { used: day.used, cap })
  const allowed = due.slice(0, day.allowed)
  const beyond = due.slice(day.allowed)
  if (allowed.length > 0) await markMessagesSending(tx, idsOf(allowed), ctx.now)
  if (beyond.length > 0) await markMessagesOverCap(tx, idsOf(beyond), `the day's ${cap} messages are used up`, ctx.now)
  for (const _ of beyond) countShareRefused(MESSAGES_OF_THE_DAY)
  return allowed
}

function idsOf(messages: MessageRow[]): string[] {
  return messages.map(({ id }) => id)
}

/** Another process is sending it, or died while it did: then it may have been sent and is left alone. */
async function recoverSending(
  tx: Tx,
  ctx: Ctx,
  { id, sinceSendingMs }: MessageRow,
  { deadAfterMs, queue }: { deadAfterMs: number; queue: string },
) {
  if (sinceSendingMs < deadAfterMs) {
    await ctx.jobs.enqueue(tx, queue, [smsJob(id, { afterMs: deadAfterMs - sinceSendingMs + 1 })])
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
