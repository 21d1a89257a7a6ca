import type { SmsGateway } from '../../integrations/sms/sms-gateway.ts'
import type { Ctx } from '../../platform/context.ts'
import { transaction } from '../../platform/db.ts'
import { DIGEST_QUEUE, digestJob, type NotifyJob, SMS_QUEUE, smsJob } from '../../platform/queues.ts'
import { type OrderRow, selectOrder } from '../orders/orders.sql.ts'
import { type SettingsRow, selectSettings } from '../settings/settings.sql.ts'
import { composeForBuyer, composeForOperator, type OrderFacts } from './compose-message.ts'
import { countOrderMessages, insertMessage, lockOperatorMessages, selectListOf } from './messages.sql.ts'
import { findBuyerPhone, MOBILE } from './notify-buyer.ts'

const MINUTE_MS = 60_000

/**
 * Creates the message about an order, at most one of each kind, and the job that sends it. With digests switched on, the
 * operator's messages wait to be combined once there are enough orders in a minute.
 * @throws Error when there is no such order.
 */
export async function notifyAboutOrder(ctx: Ctx, gateway: SmsGateway, { kind, orderId }: NotifyJob): Promise<void> {
  if (!gateway.sender) return
  const settings = await selectSettings(ctx.db)
  const order = await selectOrder(ctx.db, orderId)
  if (!order) throw new Error(`there is no order ${orderId}`)
  const receiver = await findReceiver(ctx, gateway, settings, kind, order)
  if (receiver === null) return
  if (!MOBILE.test(receiver)) return ctx.log.warn({ orderId, kind }, 'no message created: not a Ghanaian mobile number')

  const list = await selectListOf(ctx.db, orderId)
  // Nobody wants thousands of messages: the operator is told of the list, and its buyer follows it on its page.
  if (list && (kind === 'completed' || !list.isFirst)) return
  const facts: OrderFacts = { ...order, delivery: order.supplier?.status ?? null }
  const body = kind === 'order' ? composeForOperator(facts, list?.orders) : composeForBuyer(facts, gateway.shopName)
  await transaction(ctx.db, async (tx) => {
    const isDigested = kind === 'order' && settings.smsDigest && (await isOneTooMany(ctx, tx, settings))
    const status = isDigested ? 'for-digest' : 'waiting'
    const id = await insertMessage(tx, { kind, orderId, reportMessageId: null, receiver, body, status, now: ctx.now })
    if (id === null) return
    if (isDigested) await ctx.jobs.enqueue(tx, DIGEST_QUEUE, [digestJob(gateway.timings.digestAfterMs)])
    else await ctx.jobs.enqueue(tx, SMS_QUEUE, [smsJob(id)])
  })
  ctx.jobs.wake(SMS_QUEUE)
}

async function findReceiver(
  ctx: Ctx,
  gateway: SmsGateway,
  settings: SettingsRow,
  kind: NotifyJob['kind'],
  order: OrderRow,
): Promise<string | null> {
  if (kind === 'order') return settings.operatorSms ? (settings.operatorPhone ?? gateway.shopPhone) : null
  return settings.buyerSms ? findBuyerPhone(ctx, order) : null
}

async function isOneTooMany(ctx: Ctx, tx: Parameters<typeof lockOperatorMessages>[0], settings: SettingsRow): Promise<boolean> {
  await lockOperatorMessages(tx)
  const since = new Date(ctx.now.getTime() - MINUTE_MS)
  return (await countOrderMessages(tx, since, settings.smsDigestAbove)) >= settings.smsDigestAbove
}
