import type { TrackedOrder } from '../../../../shared/tracker.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import type { Ctx } from '../../../platform/context.ts'
import { NotFound } from '../../../platform/errors.ts'
import { limitKnowledge } from '../../../platform/limit-knowledge.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import { type AgentShopRow, selectShop } from '../../agents/agent-shops/agent-shops.sql.ts'
import { selectRefundOfOrder } from '../../card/refunds/refunds.sql.ts'
import { canText, tellsGuests } from '../../messages/sms/queries.ts'
import { type OrderRow, selectOrderByReference, selectOrdersBySeq } from '../../orders/orders/orders.sql.ts'
import { readOwnProgress, readProgress } from '../../orders/orders/queries.ts'
import { presentTrackedOrder } from './present.ts'

type Sms = Pick<SmsGateway, 'sender'>

/**
 * By the reference of an order's link, which nobody can guess.
 * @throws NotFound
 */
export async function trackByLink(ctx: Ctx, sms: Sms, reference: string): Promise<TrackedOrder> {
  return track(ctx, sms, await selectOrderByReference(ctx.db, reference))
}

/**
 * By an order's number or reference, and its receiver. A number alone would be easy to guess.
 * @throws NotFound, also when the receiver is another: who asks learns nothing of which it was. TooManyAttempts once that was wrong too often for this
 * order or this receiver, at one address or from everywhere.
 */
export async function trackByReceiver(
  ctx: Ctx,
  { limiter, sms }: { limiter: RateLimiter; sms: Sms },
  { reference, phoneNumber }: { reference: string; phoneNumber: string },
): Promise<TrackedOrder> {
  const isNumber = /^\d{1,15}$/.test(reference)
  const order = isNumber ? (await selectOrdersBySeq(ctx.db, [Number(reference)]))[0] : await selectOrderByReference(ctx.db, reference)
  const tried = [
    { door: 'receiver of order', of: order?.id ?? reference },
    { door: 'orders of receiver', of: phoneNumber },
  ] as const
  return limitKnowledge(limiter, ctx.ip, tried, () => track(ctx, sms, order?.receiver === phoneNumber ? order : null))
}

async function track(ctx: Ctx, sms: Sms, order: OrderRow | null | undefined): Promise<TrackedOrder> {
  if (!order) throw new NotFound('order')
  const { guestPhone, shopId } = order
  if (guestPhone === null || shopId === null) return presentTrackedOrder(order, await readProgress(ctx, order), null)
  const [{ progress, reporting }, refund, shop, tells] = await Promise.all([
    readOwnProgress(ctx, order),
    order.status === 'rejected' ? selectRefundOfOrder(ctx.db, order.id) : null,
    selectShop(ctx.db, shopId),
    tellsGuests(ctx.db, sms, guestPhone),
  ])
  return presentTrackedOrder(order, progress, { shop: shop as AgentShopRow, refund, reporting, tells, texts: canText(sms, guestPhone) })
}
