import { isoDay } from '../../../../shared/dates.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import type { Ctx } from '../../../platform/context.ts'
import { noticeCap, selectUsedToday } from '../../../platform/day-caps.sql.ts'
import { transaction } from '../../../platform/db.ts'
import { DIGEST_QUEUE, digestJob, SMS_QUEUE, smsJob } from '../../../platform/queues.ts'
import { selectSettings } from '../../shop/settings/settings.sql.ts'
import { composeDigests } from './compose-message.ts'
import { insertMessage, lockOperatorMessages, moveIntoDigest, selectForDigest } from './messages.sql.ts'

const HOUR_MS = 3_600_000

/**
 * Combines the operator's waiting messages into as few digests as possible, which use a quarter of what the day has left for notices: the last
 * of them counts the orders that the others have no room for. On a day with nothing left they wait. A second call finds nothing to combine.
 */
export async function gatherDigest(ctx: Ctx, gateway: SmsGateway): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    await lockOperatorMessages(tx)
    const waiting = await selectForDigest(tx)
    if (waiting.length === 0) return
    const receiver = (await selectSettings(tx)).operatorPhone ?? gateway.shopPhone
    const { smsDailyCap } = await selectSettings(tx)
    const left = noticeCap(smsDailyCap) - (await selectUsedToday(tx, 'sms_days', isoDay(ctx.now)))
    if (left <= 0) return ctx.jobs.enqueue(tx, DIGEST_QUEUE, [digestJob(HOUR_MS)])
    for (const { body, orders } of composeDigests(waiting, gateway.shopName, Math.ceil(left / 4))) {
      const id = (await insertMessage(tx, {
        kind: 'digest',
        orderId: null,
        reportMessageId: null,
        receiver,
        body,
        status: 'waiting',
        now: ctx.now,
      })) as string
      await moveIntoDigest(
        tx,
        id,
        orders.map(({ messageId }) => messageId),
        ctx.now,
      )
      await ctx.jobs.enqueue(tx, SMS_QUEUE, [smsJob(id)])
    }
  })
  ctx.jobs.wake(SMS_QUEUE)
}
