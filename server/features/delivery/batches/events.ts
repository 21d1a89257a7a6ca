import { SEES_ORDERS } from '../../../../shared/staff-rules.ts'
import type { Ctx } from '../../../platform/context.ts'
import { selectOrdersBySeq } from '../../orders/orders/orders.sql.ts'
import { presentOrder } from '../../orders/orders/present.ts'

/** Announces to the admins which orders a batch has taken or given back. Failure is only logged: screens catch up later. */
export async function announceBatched(ctx: Ctx, seqs: number[]) {
  if (seqs.length === 0) return
  try {
    for (const order of await selectOrdersBySeq(ctx.db, seqs))
      ctx.realtime.announce({ staff: SEES_ORDERS }, 'ordersUpdated', presentOrder(order, 'admin'))
  } catch (error) {
    ctx.log.warn({ err: error }, "a batch's orders were not announced")
  }
}
