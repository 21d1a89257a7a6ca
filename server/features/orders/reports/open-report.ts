import { formatShortTime } from '../../../../shared/dates.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { AppError, NotFound } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { announceReport } from '../orders/events.ts'
import { lockOrder, type OrderRow, selectOrderByReference } from '../orders/orders.sql.ts'
import { readUsualTimes, reportOpensAt } from '../orders/queries.ts'
import { insertReport, insertReportMessage, type ReportRow, selectReport, selectReportOfOrder } from '../orders/reports.sql.ts'

/**
 * Reports that one's own order has not arrived. Sent twice, it is the same report.
 * @throws NotFound, also for someone else's order.
 * @throws TooEarly before the network's usual time is over; NothingToReport for a refunded order.
 */
export async function openReport(ctx: Ctx, { orderId, text }: { orderId: string; text: string }): Promise<ReportRow> {
  const { report, isNew } = await transaction(ctx.db, async (tx) => {
    const actor = await lockActor(tx, ctx)
    const order = await lockOrder(tx, orderId)
    if (order?.userId !== actor.id) throw new NotFound('order')
    return record(tx, ctx, order, text)
  })
  if (isNew) await announceReport(ctx, report.id)
  return report
}

/**
 * The same for an order of a guest, who is known by the order's reference alone. Returns the number that their messages go to.
 * @throws as above.
 */
export async function openGuestReport(ctx: Ctx, { reference, text }: { reference: string; text: string }): Promise<string> {
  const known = await selectOrderByReference(ctx.db, reference)
  if (!known || known.guestPhone === null) throw new NotFound('order')
  const { report, isNew } = await transaction(ctx.db, async (tx) => {
    return record(tx, ctx, (await lockOrder(tx, known.id)) as OrderRow, text)
  })
  if (isNew) await announceReport(ctx, report.id)
  return known.guestPhone
}

async function record(tx: Tx, ctx: Ctx, order: OrderRow, text: string): Promise<{ report: ReportRow; isNew: boolean }> {
  if (order.status === 'rejected') throw new NothingToReport()
  const latest = await selectReportOfOrder(tx, order.id)
  if (latest?.status === 'open') return { report: latest, isNew: false }
  const opensAt = reportOpensAt(order, latest, await readUsualTimes(tx, order.network, ctx.now))
  if (opensAt && opensAt > ctx.now) throw new TooEarly(order.network, formatShortTime(opensAt, ctx.now))
  const reportId = (await insertReport(tx, order.id, ctx.now)) as string
  if (text !== '') await insertReportMessage(tx, { reportId, userId: order.userId, fromShop: false, text, now: ctx.now })
  return { report: (await selectReport(tx, reportId)) as ReportRow, isNew: true }
}

class TooEarly extends AppError {
  constructor(network: string, time: string) {
    super('CONFLICT', `It is still within the usual time for ${network}. You can report it from ${time}.`)
  }
}

class NothingToReport extends AppError {
  constructor() {
    super('CONFLICT', 'We refunded that order, so there is nothing left to deliver.')
  }
}
