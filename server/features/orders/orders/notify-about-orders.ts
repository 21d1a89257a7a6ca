import { isoDay } from '../../../../shared/dates.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import {
  DIGEST_QUEUE,
  digestJob,
  type NewOrdersJob,
  NOTIFY_QUEUE,
  type NotifyJob,
  notifyJob,
  SMS_QUEUE,
  smsJob,
} from '../../../platform/queues.ts'
import { composeForBuyer, composeForOperator, type OrderFacts, senderName } from '../../messages/sms/compose-message.ts'
import {
  countOrderMessages,
  countToldSingly,
  insertOrderMessages,
  type ListOf,
  lockOperatorMessages,
  type OrderMessage,
  selectListsOf,
} from '../../messages/sms/messages.sql.ts'
import { MOBILE } from '../../messages/sms/queries.ts'
import { type SettingsRow, selectSettings } from '../../shop/settings/settings.sql.ts'
import { findBuyerPhone } from './notify-buyer.ts'
import { type OrderRow, selectOrders } from './orders.sql.ts'

const MINUTE_MS = 60_000
/** A day; the operator is told of a customer's further orders together. */
const TOLD_SINGLY_OF_A_CUSTOMER = 20

/**
 * Creates the messages about some orders, at most one of each kind for each, and the jobs that send them; all or none of them. The
 * operator's messages wait to be combined beyond a quarter of the day's, and a customer's beyond twenty; with digests switched on, also once
 * there are enough orders in a minute.
 * @throws Error when there is no such order.
 */
export async function notifyAboutOrders(ctx: Ctx, gateway: SmsGateway, jobs: NotifyJob[]): Promise<void> {
  if (!gateway.sender) return
  const settings = await selectSettings(ctx.db)
  const orderIds = jobs.map(({ orderId }) => orderId)
  const orders = new Map((await selectOrders(ctx.db, orderIds)).map((order) => [order.id, order]))
  const lists = await selectListsOf(ctx.db, orderIds)
  const messages: OrderMessage[] = []
  for (const { kind, orderId } of jobs) {
    const order = orders.get(orderId)
    if (!order) throw new Error(`there is no order ${orderId}`)
    const message = await compose(ctx, gateway, settings, kind, order, lists.get(orderId))
    if (message) messages.push(message)
  }
  if (messages.length === 0) return
  await transaction(ctx.db, async (tx) => {
    const beyond = await findThoseBeyond(ctx, tx, settings, messages, orders)
    const sent = await insertOrderMessages(
      tx,
      'waiting',
      messages.filter((message) => !beyond.has(message)),
      ctx.now,
    )
    const gathered = await insertOrderMessages(tx, 'for-digest', [...beyond], ctx.now)
    await ctx.jobs.enqueue(
      tx,
      SMS_QUEUE,
      sent.map((id) => smsJob(id)),
    )
    if (gathered.length > 0) await ctx.jobs.enqueue(tx, DIGEST_QUEUE, [digestJob(gateway.timings.digestAfterMs)])
  })
  ctx.jobs.wake(SMS_QUEUE)
}

/** Tells the operator of new orders; what fails together is retried one by one, so that one order cannot hold up the others. */
export async function notifyAboutNewOrders(ctx: Ctx, gateway: SmsGateway, jobs: NewOrdersJob[]): Promise<void> {
  const orderIds = jobs.flatMap((job) => job.orderIds)
  try {
    await notifyAboutOrders(
      ctx,
      gateway,
      orderIds.map((orderId) => ({ kind: 'order', orderId })),
    )
  } catch (error) {
    ctx.log.warn({ err: error, orders: orderIds.length }, 'the operator is told of new orders one by one')
    await ctx.jobs.enqueue(
      ctx.db,
      NOTIFY_QUEUE,
      orderIds.map((orderId) => notifyJob('order', orderId)),
    )
    ctx.jobs.wake(NOTIFY_QUEUE)
  }
}

/** Null when nobody is to be told. */
async function compose(
  ctx: Ctx,
  gateway: SmsGateway,
  settings: SettingsRow,
  kind: NotifyJob['kind'],
  order: OrderRow,
  list: ListOf | undefined,
): Promise<OrderMessage | null> {
  // Nobody wants thousands of messages: the operator is told of the list, and its buyer follows it on its page.
  if (list && (kind === 'completed' || !list.isFirst)) return null
  const receiver = await findReceiver(ctx, gateway, settings, kind, order)
  if (receiver === null) return null
  if (!MOBILE.test(receiver)) {
    ctx.log.warn({ orderId: order.id, kind }, 'no message created: not a Ghanaian mobile number')
    return null
  }
  const facts: OrderFacts = { ...order, delivery: order.supplier?.status ?? null }
  const body =
    kind === 'order' ? composeForOperator(facts, list?.orders) : composeForBuyer(facts, senderName(order.soldBy, gateway.shopName))
  return { kind, orderId: order.id, receiver, body }
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

/** The messages to the operator that a digest combines: beyond the day's share, or a customer's, and beyond those of a minute if digests are on. */
async function findThoseBeyond(
  ctx: Ctx,
  tx: Tx,
  settings: SettingsRow,
  messages: OrderMessage[],
  orders: Map<string, OrderRow>,
): Promise<Set<OrderMessage>> {
  const toOperator = messages.filter(({ kind }) => kind === 'order')
  const beyond = new Set<OrderMessage>()
  if (toOperator.length === 0) return beyond
  await lockOperatorMessages(tx)
  const customerOf = ({ orderId }: OrderMessage) => orders.get(orderId)?.userId ?? orders.get(orderId)?.guestPhone ?? ''
  const told = await countToldSingly(tx, isoDay(ctx.now), [...new Set(toOperator.map(customerOf))])
  const ofTheDay = Math.ceil(settings.smsDailyCap / 4)
  let ofTheMinute = Number.POSITIVE_INFINITY
  if (settings.smsDigest) {
    const since = new Date(ctx.now.getTime() - MINUTE_MS)
    ofTheMinute = settings.smsDigestAbove - (await countOrderMessages(tx, since, settings.smsDigestAbove))
  }
  for (const message of toOperator) {
    const customer = customerOf(message)
    const theirs = told.by.get(customer) ?? 0
    if (told.all >= ofTheDay || theirs >= TOLD_SINGLY_OF_A_CUSTOMER || ofTheMinute <= 0) beyond.add(message)
    else {
      told.all += 1
      told.by.set(customer, theirs + 1)
      ofTheMinute -= 1
    }
  }
  return beyond
}
