import type { TrackedOrder } from '../../../shared/tracker.ts'
import type { Ctx } from '../../platform/context.ts'
import { NotFound } from '../../platform/errors.ts'
import { limitKnowledge } from '../../platform/limit-knowledge.ts'
import type { RateLimiter } from '../../platform/rate-limiter.ts'
import { type OrderRow, selectOrderByReference, selectOrdersBySeq } from '../orders/orders.sql.ts'
import { readOwnProgress, readProgress } from '../orders/queries.ts'
import { selectRefundOfOrder } from '../refunds/refunds.sql.ts'
import { presentTrackedOrder } from './present.ts'

/**
 * By the reference of an order's link, which nobody can guess.
 * @throws NotFound
 */
export async function trackByLink(ctx: Ctx, reference: string): Promise<TrackedOrder> {
  return track(ctx, await selectOrderByReference(ctx.db, reference))
}

/**
 * By an order's number or reference, and its receiver. A number alone would be easy to guess.
 * @throws NotFound, also when the receiver is another: who asks learns nothing of which it was. TooManyAttempts once that was wrong too often for this
 * order or this receiver, at one address or from everywhere.
 */
export async function trackByReceiver(
  ctx: Ctx,
  limiter: RateLimiter,
  { reference, phoneNumber }: { reference: string; phoneNumber: string },
): Promise<TrackedOrder> {
  const isNumber = /^\d{1,15}$/.test(reference)
  const order = isNumber ? (await selectOrdersBySeq(ctx.db, [Number(reference)]))[0] : await selectOrderByReference(ctx.db, reference)
  const tried = [
    { door: 'receiver of order', of: order?.id ?? reference },
    { door: 'orders of receiver', of: phoneNumber },
  ] as const
  return limitKnowledge(limiter, ctx.ip, tried, () => track(ctx, order?.receiver === phoneNumber ? order : null))
}

async function track(ctx: Ctx, order: OrderRow | null | undefined): Promise<TrackedOrder> {
  if (!order) throw new NotFound('order')
  if (order.guestPhone === null) return presentTrackedOrder(order, { progress: await readProgress(ctx, order) }, null)
  const refund = order.status === 'rejected' ? await selectRefundOfOrder(ctx.db, order.id) : null
  return presentTrackedOrder(order, await readOwnProgress(ctx, order), refund)
}
