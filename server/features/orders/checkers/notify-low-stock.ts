import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import { raiseAlarm } from '../../../platform/alarms.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { SMS_QUEUE, smsJob } from '../../../platform/queues.ts'
import { composeLowStock } from '../../messages/sms/compose-message.ts'
import { insertMessage } from '../../messages/sms/messages.sql.ts'
import { MOBILE } from '../../messages/sms/queries.ts'
import { selectSettings } from '../../shop/settings/settings.sql.ts'
import { markTold, selectLevels } from './checkers.sql.ts'

/** Tells the owner once of each kind that runs low, until there is enough of it again. Safe to run twice or at once. */
export async function notifyLowStock(ctx: Ctx, sms: SmsGateway): Promise<void> {
  for (const { kind, name, left, toldAt, isLow } of await selectLevels(ctx.db)) {
    if (isLow === (toldAt !== null)) continue
    await transaction(ctx.db, async (tx) => {
      if (!(await markTold(tx, kind, isLow ? ctx.now : null)) || !isLow) return
      raiseAlarm(ctx.log, 'checkers-low', { kind, left })
      const receiver = (await selectSettings(tx)).operatorPhone ?? sms.shopPhone
      if (!sms.sender || !MOBILE.test(receiver)) return
      const body = composeLowStock({ name, left }, sms.shopName)
      const message = { kind: 'alarm', orderId: null, reportMessageId: null, receiver, body, status: 'waiting', now: ctx.now } as const
      const messageId = await insertMessage(tx, message)
      if (messageId !== null) await ctx.jobs.enqueue(tx, SMS_QUEUE, [smsJob(messageId)])
    })
  }
  ctx.jobs.wake(SMS_QUEUE)
}
