import type { Ctx } from '../../platform/context.ts'
import type { OrderRow } from './orders.sql.ts'
import { presentOrder } from './present.ts'

/** Tells the buyer's devices and the admins how an order stands now. */
export function announceOrder(ctx: Ctx, row: OrderRow) {
  ctx.realtime.announce({ user: row.userId }, 'ordersUpdated', presentOrder(row, 'buyer'))
  ctx.realtime.announce('admins', 'ordersUpdated', presentOrder(row, 'admin'))
}
