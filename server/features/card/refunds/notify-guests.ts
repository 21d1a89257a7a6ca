import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { REFUND_CODE_QUEUE, SMS_QUEUE, smsJob } from '../../../platform/queues.ts'
import { composeRefundNews, senderName } from '../../messages/sms/compose-message.ts'
import { insertMessage } from '../../messages/sms/messages.sql.ts'
import { tellsGuests } from '../../messages/sms/queries.ts'
import { type GuestNews, lockUntold, markTold } from './refunds.sql.ts'
import { addCodeMessage } from './send-code.ts'

const AT_ONCE = 50

/**
 * Tells guests by SMS that their money is on its way, is back, or waits as a code, each once and as it stands when the message is made.
 * Safe to run in several processes.
 */
export async function notifyGuests(ctx: Ctx, gateway: SmsGateway): Promise<void> {
  for (let told = 0; told < AT_ONCE; told += 1) {
    if (!(await transaction(ctx.db, (tx) => notifyNext(tx, ctx, gateway)))) break
    ctx.jobs.wake(SMS_QUEUE)
    ctx.jobs.wake(REFUND_CODE_QUEUE)
  }
}

async function notifyNext(tx: Tx, ctx: Ctx, gateway: SmsGateway): Promise<boolean> {
  const news = await lockUntold(tx)
  if (!news) return false
  await markTold(tx, news)
  if (await tellsGuests(tx, gateway, news.phone)) await addMessage(tx, ctx, gateway, news)
  return true
}

async function addMessage(tx: Tx, ctx: Ctx, gateway: SmsGateway, news: GuestNews) {
  if (news.status === 'code') return addCodeMessage(tx, ctx, gateway, news)
  const id = await insertMessage(tx, {
    kind: 'refund',
    orderId: null,
    reportMessageId: null,
    refundId: news.id,
    receiver: news.phone,
    body: composeRefundNews({ ...news, status: news.status }, senderName(news.soldBy, gateway.shopName)),
    status: 'waiting',
    now: ctx.now,
  })
  if (id !== null) await ctx.jobs.enqueue(tx, SMS_QUEUE, [smsJob(id)])
}
