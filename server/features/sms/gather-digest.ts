import type { SmsGateway } from '../../integrations/sms/sms-gateway.ts'
import type { Ctx } from '../../platform/context.ts'
import { transaction } from '../../platform/db.ts'
import { SMS_QUEUE, smsJob } from '../../platform/queues.ts'
import { selectSettings } from '../settings/settings.sql.ts'
import { composeDigests } from './compose-message.ts'
import { insertMessage, lockOperatorMessages, moveIntoDigest, selectForDigest } from './messages.sql.ts'

/** Combines the operator's waiting messages into as few digests as possible. A second call finds nothing to combine. */
export async function gatherDigest(ctx: Ctx, gateway: SmsGateway): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    await lockOperatorMessages(tx)
    const waiting = await selectForDigest(tx)
    if (waiting.length === 0) return
    const receiver = (await selectSettings(tx)).operatorPhone ?? gateway.shopPhone
    for (const { body, orders } of composeDigests(waiting, gateway.shopName)) {
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
