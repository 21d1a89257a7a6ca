import type { WhatsappGateway } from '../../../integrations/whatsapp/whatsapp-gateway.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { WHATSAPP_QUEUE, whatsappJob } from '../../../platform/queues.ts'
import { selectOrder } from '../../orders/orders/orders.sql.ts'
import { composeNews } from './compose-answer.ts'
import { insertMessage } from './messages.sql.ts'
import { selectLink } from './whatsapp.sql.ts'

/**
 * Where an order was bought in a chat, tells its buyer there that it is delivered or refunded, once, unless they want no news.
 * @throws Error when there is no such order.
 */
export async function notifyAboutOrder(
  ctx: Ctx,
  { business }: WhatsappGateway,
  { kind, orderId }: { kind: 'delivered' | 'refunded'; orderId: string },
): Promise<void> {
  if (!business) return
  const order = await selectOrder(ctx.db, orderId)
  if (!order) throw new Error(`there is no order ${orderId}`)
  if (order.channel !== 'whatsapp' || order.userId === null) return
  const link = await selectLink(ctx.db, order.userId)
  if (!link?.linkedAt || link.newsStopped) return
  const { phone } = link
  await transaction(ctx.db, async (tx) => {
    const id = await insertMessage(tx, { kind, phone, orderId, body: composeNews(kind, order), now: ctx.now })
    if (id !== null) await ctx.jobs.enqueue(tx, WHATSAPP_QUEUE, [whatsappJob(id)])
  })
  ctx.jobs.wake(WHATSAPP_QUEUE)
}
