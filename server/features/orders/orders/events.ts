import { ANSWERS_REPORTS, SEES_ORDERS } from '../../../../shared/staff-rules.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type OrderRow, selectOrder } from './orders.sql.ts'
import { presentOrder, presentReport } from './present.ts'
import { selectReport } from './reports.sql.ts'

/** Announces an order's state to the buyer and the staff. */
export function announceOrder(ctx: Ctx, row: OrderRow) {
  if (row.userId !== null) ctx.realtime.announce({ user: row.userId }, 'ordersUpdated', presentOrder(row, 'buyer'))
  ctx.realtime.announce({ staff: SEES_ORDERS }, 'ordersUpdated', presentOrder(row, 'admin'))
}

/** The same for a caller without the row. Failure is only logged: clients catch up later. */
export async function announceDelivery(ctx: Ctx, orderId: string) {
  try {
    const order = await selectOrder(ctx.db, orderId)
    if (order) announceOrder(ctx, order)
  } catch (error) {
    ctx.log.warn({ err: error, orderId }, "an order's delivery was not announced")
  }
}

/** Announces a report to the buyer of its order and the staff who answer. Failure is only logged: clients catch up later. */
export async function announceReport(ctx: Ctx, reportId: string) {
  try {
    const report = await selectReport(ctx.db, reportId)
    if (!report) return
    if (report.userId !== null) ctx.realtime.announce({ user: report.userId }, 'reportUpdated', presentReport(report))
    ctx.realtime.announce({ staff: ANSWERS_REPORTS }, 'reportUpdated', presentReport(report))
  } catch (error) {
    ctx.log.warn({ err: error, reportId }, 'a report was not announced')
  }
}
