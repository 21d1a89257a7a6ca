import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { SMS_QUEUE, smsJob } from '../../../platform/queues.ts'
import { insertMessage } from '../../messages/sms/messages.sql.ts'
import { selectSettings } from '../../shop/settings/settings.sql.ts'
import { composeAlarm } from './compose-alarm.ts'
import { announceFloats } from './events.ts'
import { type AlarmKind, endAlarms, insertAlarm, type OpenAlarm, selectOpenAlarms, updateAlarmMessage } from './floats.sql.ts'
import { type FloatDeps, type FloatRow, readFloats } from './queries.ts'

const MOBILE = /^0[25][0-9]{8}$/
/** A float that was low is fine again once it lasts twice as long as the owner wants to be told before. */
const TWICE = 2

/**
 * Tells the owner once of each float that runs out, is finished, or whose supplier takes no orders, and notes when that is over. One
 * message an event: the database allows one open alarm of a kind, and none is repeated within an hour. Safe to run twice or at once.
 */
export async function notifyAboutFloats(ctx: Ctx, deps: FloatDeps): Promise<void> {
  const { floats, alarmHours } = await readFloats(ctx.db, deps, ctx.now)
  const open = await selectOpenAlarms(ctx.db)
  let changed = false
  for (const float of floats) {
    const before = open.filter(({ key }) => key === float.key)
    const now = alarmsOf(float, before, alarmHours)
    const begun = now.filter((kind) => before.every((alarm) => alarm.kind !== kind))
    if (begun.length === 0 && now.length === before.length) continue
    changed = true
    await transaction(ctx.db, async (tx) => {
      await endAlarms(tx, float.key, now, ctx.now)
      for (const kind of begun) await tell(tx, ctx, deps.sms, float, kind)
    })
  }
  ctx.jobs.wake(SMS_QUEUE)
  if (changed || floats.some(({ health }) => health !== null)) announceFloats(ctx)
}

/** The alarms that are due or go on. Who was told that a balance is finished need not hear that it runs out. */
function alarmsOf({ state, hoursLeft, amount }: FloatRow, before: OpenAlarm[], alarmHours: number): AlarmKind[] {
  if (state === 'finished') return ['finished']
  const low = before.find(({ kind }) => kind === 'low')
  const isToppedUp = low !== undefined && amount !== null && low.amount !== null && amount > low.amount
  const runsOut = hoursLeft !== null && hoursLeft < alarmHours
  const goesOn = low !== undefined && !isToppedUp && (hoursLeft === null || hoursLeft < TWICE * alarmHours)
  const stopped: AlarmKind[] = state === 'stopped' || state === 'trying' ? ['stopped'] : []
  return runsOut || goesOn ? [...stopped, 'low'] : stopped
}

async function tell(tx: Tx, ctx: Ctx, sms: SmsGateway, float: FloatRow, kind: AlarmKind) {
  const alarm = await insertAlarm(tx, { key: float.key, kind, amount: float.amount, now: ctx.now })
  if (!alarm?.mayTell || !sms.sender) return
  const receiver = (await selectSettings(tx)).operatorPhone ?? sms.shopPhone
  if (!MOBILE.test(receiver)) return ctx.log.warn({ float: float.key, kind }, 'no message created: not a Ghanaian mobile number')
  const body = composeAlarm(kind, float, sms.shopName)
  const messageId = await insertMessage(tx, {
    kind: 'alarm',
    orderId: null,
    reportMessageId: null,
    receiver,
    body,
    status: 'waiting',
    now: ctx.now,
  })
  if (messageId === null) return
  await updateAlarmMessage(tx, alarm.id, messageId)
  await ctx.jobs.enqueue(tx, SMS_QUEUE, [smsJob(messageId)])
}
