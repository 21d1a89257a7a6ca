import { type ReportOfOrder, reportEndpoints } from '../../../../shared/reports.ts'
import type { Api } from '../../../platform/http/api.ts'
import { toPage } from '../../../platform/http/lists.ts'
import { mount } from '../../../platform/http/mount.ts'
import { presentOrder, presentReport } from '../orders/present.ts'
import { findOrderId } from '../orders/queries.ts'
import { openReport } from './open-report.ts'
import { listReports, type ReportedOrder } from './queries.ts'
import { recordMessage } from './record-message.ts'
import { settleReport } from './settle-report.ts'

export function reportRoutes(app: Api) {
  mount(
    app,
    reportEndpoints,
    {
      'POST /order/:id/report': async ({ ctx, params, body }) => {
        const opened = await openReport(ctx, { orderId: await findOrderId(ctx, params.id), text: body.text ?? '' })
        return { report: presentReport(opened) }
      },
      'POST /report/:id/message': async ({ ctx, params, body }) => {
        return { report: presentReport(await recordMessage(ctx, { reportId: params.id, text: body.text })) }
      },
      'GET /admin/reports': async ({ ctx, query }) => {
        const { status = null, ...list } = query
        const { reported, total } = await listReports(ctx.db, { ...toPage(list), status })
        return { rows: reported.map(presentReported), total }
      },
      'PUT /admin/reports/:id/end': async ({ ctx, params, body }) => {
        return { report: presentReported(await settleReport(ctx, { reportId: params.id, ...body })) }
      },
    },
    { 'POST /order/:id/report': { share: 'report-lines' }, 'POST /report/:id/message': { share: 'report-lines' } },
  )
}

function presentReported({ report, order }: ReportedOrder): ReportOfOrder {
  return { ...presentReport(report), order: presentOrder(order, 'admin') }
}
