import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { type NewsJob, SMS_QUEUE, smsJob } from '../../../platform/queues.ts'
import { composeAnswer, composeGuestRefund, composeRefund, senderName } from '../../messages/sms/compose-message.ts'
import { insertMessage } from '../../messages/sms/messages.sql.ts'
import { MOBILE } from '../../messages/sms/queries.ts'
import { wantsSms } from '../../people/news/news.sql.ts'
import { selectUser } from '../../people/users/users.sql.ts'
import { selectSettings } from '../../shop/settings/settings.sql.ts'
import { type OrderRow, selectOrder } from './orders.sql.ts'

/**
 * Where the shop and the buyer want it, creates the message that an order was refunded, or that the shop answered its report,
 * and the job that sends it. At most one for each refund and each answer.
 * @throws Error when there is no such order.
 */
export async function notifyBuyer(ctx: Ctx, gateway: SmsGateway, { kind, orderId, reportMessageId }: NewsJob): Promise<void> {
  if (!gateway.sender || !(await selectSettings(ctx.db)).buyerSms) return
  const order = await selectOrder(ctx.db, orderId)
  if (!order) throw new Error(`there is no order ${orderId}`)
  const receiver = await findBuyerPhone(ctx, order)
  if (receiver === null) return
  if (!MOBILE.test(receiver)) return ctx.log.warn({ orderId, kind }, 'no message created: not a Ghanaian mobile number')
  const composeRefunded = order.userId === null ? composeGuestRefund : composeRefund
  const shopName = senderName(order.soldBy, gateway.shopName)
  const body = kind === 'reply' ? composeAnswer(order, shopName) : composeRefunded(order, shopName)
  await transaction(ctx.db, async (tx) => {
    const about = kind === 'reply' ? { orderId: null, reportMessageId: reportMessageId ?? null } : { orderId, reportMessageId: null }
    const id = await insertMessage(tx, { kind, ...about, receiver, body, status: 'waiting', now: ctx.now })
    if (id !== null) await ctx.jobs.enqueue(tx, SMS_QUEUE, [smsJob(id)])
  })
  ctx.jobs.wake(SMS_QUEUE)
}

/** Null for a buyer who wants no messages. A guest gave the number for them. */
export async function findBuyerPhone(ctx: Ctx, { userId, guestPhone }: Pick<OrderRow, 'userId' | 'guestPhone'>): Promise<string | null> {
  if (userId === null) return guestPhone
  return (await wantsSms(ctx.db, userId)) ? ((await selectUser(ctx.db, userId))?.phone ?? null) : null
}
