import type { Ctx } from '../../platform/context.ts'
import { type OrderRow, selectOrder } from './orders.sql.ts'
import { presentOrder } from './present.ts'

/** Tells the buyer's devices and the admins how an order stands now. */
export function announceOrder(ctx: Ctx, row: OrderRow) {
  ctx.realtime.announce({ user: row.userId }, 'ordersUpdated', presentOrder(row, 'buyer'))
  ctx.realtime.announce('admins', 'ordersUpdated', presentOrder(row, 'admin'))
}

/** The same, for a write at the supplier that does not have the row at hand; a failure only costs a moment's freshness. */
export async function announceDelivery(ctx: Ctx, orderId: string) {
  try {
    const order = await selectOrder(ctx.db, orderId)
    if (order) announceOrder(ctx, order)
  } catch (error) {
    ctx.log.warn({ err: error, orderId }, "an order's delivery was not announced")
  }
}
