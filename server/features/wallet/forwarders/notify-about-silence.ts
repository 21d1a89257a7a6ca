import { startOfDay } from '../../../../shared/dates.ts'
import type { Shop } from '../../../../shared/shop.ts'
import { plainWord } from '../../../integrations/sms/gsm-text.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import { raiseAlarm } from '../../../platform/alarms.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { SMS_QUEUE, smsJob } from '../../../platform/queues.ts'
import { openOn } from '../../../platform/work-hours.ts'
import { insertMessage } from '../../messages/sms/messages.sql.ts'
import { selectSettings } from '../../shop/settings/settings.sql.ts'
import { selectCreditRules } from '../received-payments/credit-rules.sql.ts'
import { type ForwarderRow, selectForwarders, updateSilent } from './forwarders.sql.ts'

const MOBILE = /^0[25][0-9]{8}$/
const MINUTE_MS = 60_000

/**
 * Tells the owner, once, of a phone that has said nothing for longer than they want in the shop's work hours: by an alarm, in the inbox
 * and by SMS. Its next word ends it. A phone that was never heard of is still being set up. Safe to run twice or at once.
 */
export async function notifyAboutSilence(ctx: Ctx, { sms, hours }: { sms: SmsGateway; hours: Shop['hours'] }): Promise<void> {
  const { silentMinutes } = await selectCreditRules(ctx.db)
  const open = openOn(startOfDay(ctx.now), hours)
  if (silentMinutes === 0 || !open || ctx.now < open.opens || ctx.now > open.closes) return
  const isSilent = ({ seenAt, silentSince }: ForwarderRow) => {
    const since = Math.max(seenAt?.getTime() ?? Number.POSITIVE_INFINITY, open.opens.getTime())
    return silentSince === null && ctx.now.getTime() - since > silentMinutes * MINUTE_MS
  }
  for (const forwarder of (await selectForwarders(ctx.db)).filter(isSilent)) await tell(ctx, sms, forwarder)
}

async function tell(ctx: Ctx, sms: SmsGateway, { id, name, seenAt }: ForwarderRow) {
  const isNews = await transaction(ctx.db, async (tx) => {
    if (!(await updateSilent(tx, id, { seenAt, now: ctx.now }))) return false
    if (!sms.sender) return true
    const receiver = (await selectSettings(tx)).operatorPhone ?? sms.shopPhone
    if (!MOBILE.test(receiver)) return true
    const body = `${plainWord(sms.shopName, 30)}: the phone ${plainWord(name, 24)} sends no messages any more. Is it on, and online?`
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
    if (messageId !== null) await ctx.jobs.enqueue(tx, SMS_QUEUE, [smsJob(messageId)])
    return true
  })
  if (!isNews) return
  raiseAlarm(ctx.log, 'phone-silent', { phone: name, seenAt })
  ctx.jobs.wake(SMS_QUEUE)
}
