import type { Ctx } from '../../platform/context.ts'
import { announceOrder } from '../orders/events.ts'
import { selectOrder } from '../orders/orders.sql.ts'

/** Tells the buyer and the admins how an order stands at its supplier; a failure only costs a moment's freshness. */
export async function announceDelivery(ctx: Ctx, orderId: string) {
  try {
    const order = await selectOrder(ctx.db, orderId)
    if (order) announceOrder(ctx, order)
  } catch (error) {
    ctx.log.warn({ err: error, orderId }, 'a change at the supplier was not announced')
  }
}
