import { plainWord } from '../../../integrations/sms/gsm-text.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import type { DiskSpace } from '../../../platform/disk-space.ts'
import { SMS_QUEUE, smsJob } from '../../../platform/queues.ts'
import { insertMessage } from '../../messages/sms/messages.sql.ts'
import { selectSettings } from '../../shop/settings/settings.sql.ts'
import { endAlarms, insertAlarm, selectOpenAlarms, updateAlarmMessage } from './floats.sql.ts'

const MOBILE = /^0[25][0-9]{8}$/
/** The disk's alarm stands among those of the floats: one is open at a time, and none is repeated within an hour. */
const KEY = 'disk'

/** Tells the owner once, by SMS, that the server's disk is nearly full, and notes when that is over. Safe to run twice or at once. */
export async function notifyAboutDisk(ctx: Ctx, { disk, sms }: { disk: Pick<DiskSpace, 'low'> | null; sms: SmsGateway }): Promise<void> {
  if (!disk) return
  const low = disk.low()
  const isOpen = (await selectOpenAlarms(ctx.db)).some(({ key }) => key === KEY)
  if (isOpen === (low !== null)) return
  await transaction(ctx.db, async (tx) => {
    if (!low) return void (await endAlarms(tx, KEY, [], ctx.now))
    const alarm = await insertAlarm(tx, { key: KEY, kind: 'low', amount: low.freeMb, now: ctx.now })
    if (!alarm?.mayTell || !sms.sender) return
    const receiver = (await selectSettings(tx)).operatorPhone ?? sms.shopPhone
    if (!MOBILE.test(receiver)) return ctx.log.warn({ freeMb: low.freeMb }, 'no message created: not a Ghanaian mobile number')
    const body = `${plainWord(sms.shopName, 30)}: the server's disk is nearly full, ${low.freeMb} MB left. When it is full nothing sells. Call your technician.`
    const message = {
      kind: 'alarm' as const,
      orderId: null,
      reportMessageId: null,
      receiver,
      body,
      status: 'waiting' as const,
      now: ctx.now,
    }
    const messageId = await insertMessage(tx, message)
    if (messageId === null) return
    await updateAlarmMessage(tx, alarm.id, messageId)
    await ctx.jobs.enqueue(tx, SMS_QUEUE, [smsJob(messageId)])
  })
  ctx.jobs.wake(SMS_QUEUE)
}
