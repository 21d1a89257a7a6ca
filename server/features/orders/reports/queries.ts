import type { ReportStatus } from '../../../../shared/orders.ts'
import type { Queryable } from '../../../platform/db.ts'
import type { Page } from '../../../platform/http/lists.ts'
import { type OrderRow, selectOrdersBySeq } from '../orders/orders.sql.ts'
import { type ReportRow, selectReports } from '../orders/reports.sql.ts'

export type ReportedOrder = { report: ReportRow; order: OrderRow }

/** A page of all reports with their orders, the newest report first. */
export async function listReports(
  db: Queryable,
  filter: Page & { status: ReportStatus | null },
): Promise<{ reported: ReportedOrder[]; total: number }> {
  const { reports, total } = await selectReports(db, filter)
  const orders = await selectOrdersBySeq(db, [...new Set(reports.map(({ orderSeq }) => orderSeq))])
  const bySeq = new Map(orders.map((order) => [order.seq, order]))
  return { reported: reports.map((report) => ({ report, order: bySeq.get(report.orderSeq) as OrderRow })), total }
}
