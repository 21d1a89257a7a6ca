import type { ScheduleQuestion } from '../../../../shared/bulk-rules.ts'
import { formatPesewas } from '../../../../shared/money.ts'
import { plainWord } from '../../../integrations/sms/gsm-text.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { SMS_QUEUE, smsJob } from '../../../platform/queues.ts'
import { insertMessage } from '../../messages/sms/messages.sql.ts'
import { MOBILE } from '../../messages/sms/queries.ts'
import { wantsSms } from '../../people/news/news.sql.ts'
import { placeBulkOrders, planForManyLines } from './bulk.sql.ts'
import { announceBulk, announceBulkProgress } from './events.ts'
import { findNextRun } from './find-next-run.ts'
import { hashBulk } from './place-bulk.ts'
import { priceGroup } from './queries.ts'
import { type DueSchedule, endRun, lockDueSchedule, noteWarned, selectDueSchedules, updatePaused } from './schedules.sql.ts'

const DAY_MS = 86_400_000

type Placed = { userId: string; jobId: string; networks: Record<string, number> }

/**
 * Places the groups whose time has come, each once, however many processes look. What would cost more than its owner agreed to, what the wallet
 * cannot pay and what is more than a day late is asked about instead. Whoever's wallet will not do tomorrow is told today.
 */
export async function placeScheduledLists(ctx: Ctx, sms: SmsGateway, onOrders: () => void): Promise<void> {
  const soon = new Date(ctx.now.getTime() + DAY_MS)
  const tried: string[] = []
  for (;;) {
    const due = await selectDueSchedules(ctx.db, { now: ctx.now, soon, but: tried })
    if (due.length === 0) return
    tried.push(...due)
    for (const id of due) {
      // One that fails must not keep the others from running; it is tried again a minute later.
      await placeScheduledList(ctx, sms, onOrders, id).catch((error: unknown) =>
        ctx.log.error({ err: error, scheduleId: id }, 'a schedule failed'),
      )
    }
  }
}

async function placeScheduledList(ctx: Ctx, sms: SmsGateway, onOrders: () => void, id: string) {
  const done = await transaction(ctx.db, async (tx) => {
    await planForManyLines(tx)
    const schedule = await lockDueSchedule(tx, id)
    if (!schedule?.nextAt) return null
    const placed = schedule.nextAt > ctx.now ? await warn(tx, ctx, sms, schedule) : await run(tx, ctx, sms, schedule)
    return { placed, userId: schedule.userId }
  })
  if (!done) return
  ctx.jobs.wake(SMS_QUEUE)
  if (done.placed) {
    onOrders()
    await announceBulk(ctx, done.placed.userId, { ...done.placed, paidWith: 'wallet' })
  } else announceBulkProgress(ctx, done.userId, id)
}

async function run(tx: Tx, ctx: Ctx, sms: SmsGateway, schedule: DueSchedule): Promise<Placed | null> {
  const { id, userId, mostPesewas, nextAt } = schedule
  const dueAt = nextAt as Date
  if (!schedule.mayBuy) {
    await updatePaused(tx, id, { isPaused: true, nextAt: dueAt, now: ctx.now })
    return null
  }
  const end = { nextAt: findNextRun(schedule, ctx.now), jobId: null, question: null, now: ctx.now }
  const price = await priceGroup(tx, schedule.group)
  const ask = async (why: ScheduleQuestion) => {
    await endRun(tx, id, { ...end, question: { why, dueAt, totalPesewas: price?.totalPesewas ?? null } })
    await tell(tx, ctx, sms, schedule, ASKED[why])
    return null
  }
  if (ctx.now.getTime() - dueAt.getTime() > DAY_MS) return ask('missed')
  if (!price) return ask('lines')
  if (price.totalPesewas > mostPesewas) return ask('price')
  const bulk = { lines: price.lines, leftOut: [], totalPesewas: price.totalPesewas }
  const outcome = await placeBulkOrders(tx, {
    ...bulk,
    userId,
    key: `schedule:${id}:${dueAt.toISOString()}`,
    requestHash: hashBulk(bulk),
    name: schedule.groupName,
    placedBy: 'schedule',
    groupId: schedule.groupId,
    now: ctx.now,
  })
  if (outcome.outcome === 'placed') {
    await endRun(tx, id, { ...end, jobId: outcome.jobId })
    return outcome.replayed ? null : { userId, jobId: outcome.jobId, networks: outcome.networks ?? {} }
  }
  // During a pause of all purchases it is tried again every minute, until it is a day late.
  if (outcome.outcome === 'refused' && outcome.code === 'PAUSED') return null
  return ask(outcome.outcome === 'refused' && outcome.code === 'INSUFFICIENT_BALANCE' ? 'balance' : 'price')
}

async function warn(tx: Tx, ctx: Ctx, sms: SmsGateway, schedule: DueSchedule): Promise<null> {
  await noteWarned(tx, schedule.id, schedule.nextAt as Date)
  const price = await priceGroup(tx, schedule.group)
  const missing = (price?.totalPesewas ?? 0) - schedule.balancePesewas
  if (missing > 0)
    await tell(
      tx,
      ctx,
      sms,
      schedule,
      `runs within a day and your wallet lacks GHS ${formatPesewas(missing).replaceAll(',', '')}. Please top up.`,
    )
  return null
}

const ASKED: Record<ScheduleQuestion, string> = {
  price: 'was not sent: it now costs more than you allowed. Please look at it.',
  balance: 'was not sent: your wallet has too little. Please top up and send it.',
  missed: 'was not sent at its time. Do you still want it? Please look at it.',
  lines: 'was not sent: a package on it is not sold any more. Please look at it.',
}

/** To the schedule's owner, unless they want no messages; one segment. */
async function tell(tx: Tx, ctx: Ctx, sms: SmsGateway, { userId, phone, groupName }: DueSchedule, what: string) {
  if (!sms.sender || !MOBILE.test(phone) || !(await wantsSms(tx, userId))) return
  const body = `${plainWord(sms.shopName, 20)}: your list ${plainWord(groupName, 30)} ${what}`
  const about = { orderId: null, reportMessageId: null, receiver: phone, body }
  const messageId = await insertMessage(tx, { kind: 'alarm', ...about, status: 'waiting', now: ctx.now })
  if (messageId !== null) await ctx.jobs.enqueue(tx, SMS_QUEUE, [smsJob(messageId)])
}
