import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { SMS_QUEUE, smsJob, type VerifyingJob } from '../../../platform/queues.ts'
import { composeVerifying, senderName } from '../../messages/sms/compose-message.ts'
import { insertMessage, selectListsOf } from '../../messages/sms/messages.sql.ts'
import { MOBILE } from '../../messages/sms/queries.ts'
import { selectSettings } from '../../shop/settings/settings.sql.ts'
import { selectVerificationDays } from './delivery-times.sql.ts'
import { findBuyerPhone } from './notify-buyer.ts'
import { selectOrder } from './orders.sql.ts'
import { isVerifying } from './present.ts'

/**
 * Where the shop and the buyer want messages, creates the one that the network checks the receiver's number first, and the job that sends
 * it. At most one for each order, and none for a list, whose page shows it.
 * @throws Error when there is no such order.
 */
export async function notifyVerifying(ctx: Ctx, gateway: SmsGateway, { orderId }: VerifyingJob): Promise<void> {
  if (!gateway.sender || !(await selectSettings(ctx.db)).buyerSms) return
  const order = await selectOrder(ctx.db, orderId)
  if (!order) throw new Error(`there is no order ${orderId}`)
  // It may have arrived or gone elsewhere since.
  if (!isVerifying(order) || (await selectListsOf(ctx.db, [orderId])).has(orderId)) return
  const receiver = await findBuyerPhone(ctx, order)
  if (receiver === null) return
  if (!MOBILE.test(receiver)) return ctx.log.warn({ orderId }, 'no message created: not a Ghanaian mobile number')
  const days = await selectVerificationDays(ctx.db)
  const body = composeVerifying({ ...order, days }, senderName(order.soldBy, gateway.shopName))
  await transaction(ctx.db, async (tx) => {
    const id = await insertMessage(tx, {
      kind: 'verifying',
      orderId,
      reportMessageId: null,
      receiver,
      body,
      status: 'waiting',
      now: ctx.now,
    })
    if (id !== null) await ctx.jobs.enqueue(tx, SMS_QUEUE, [smsJob(id)])
  })
  ctx.jobs.wake(SMS_QUEUE)
}
