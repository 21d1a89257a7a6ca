import { queryOptions } from '@tanstack/react-query'
import type { EndReportRequest, ReportOfOrder } from '../../../../../shared/reports.ts'
import { call, callList } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { refreshSoon, replaceInLists } from '../../../../lib/query-client.ts'
import { toast } from '../../../../ui/toast.ts'

export type ReportFilter = { page?: number; pageSize?: number; search?: string; status?: string }

export function reportsQuery(filter: ReportFilter) {
  return queryOptions({
    queryKey: ['reports', filter],
    queryFn: ({ signal }) => callList('GET /admin/reports', { query: filter, signal }),
  })
}

/** Both answer whether it worked, and say why it did not. */
export async function replyToReport(report: ReportOfOrder, text: string): Promise<boolean> {
  return attempt(async () => {
    const { report: answered } = await call('POST /report/:id/message', { params: { id: report._id }, body: { text } })
    replaceInLists(['reports'], answered)
    toast.success(`The customer sees your answer on order ${report.number}.`)
  })
}

export async function endReport(report: ReportOfOrder, how: EndReportRequest): Promise<boolean> {
  return attempt(async () => {
    const { report: ended } = await call('PUT /admin/reports/:id/end', { params: { id: report._id }, body: how })
    replaceInLists(['reports'], ended)
    replaceInLists(['orders'], ended.order)
    toast.success(ENDED[how.outcome](report.number))
  })
}

const ENDED: Record<EndReportRequest['outcome'], (number: string) => string> = {
  delivered: (number) => `Order ${number} was delivered. The report has ended.`,
  resent: (number) => `Order ${number} is sent again. The report has ended.`,
  refunded: (number) => `Order ${number} is refunded. The report has ended.`,
}

async function attempt(act: () => Promise<void>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    toast.danger(messageOf(error))
    return false
  } finally {
    refreshSoon(['reports'], ['orders'], ['stats'], ['admin-actions'])
  }
}
