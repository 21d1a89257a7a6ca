import { momoDetailsRequest, notice, noticeRequest } from '../../../shared/notice.ts'
import type { Api } from '../../platform/http/api.ts'
import { changeNotice } from './change-notice.ts'
import { selectNotice } from './notice.sql.ts'

export function noticeRoutes(app: Api) {
  app.get(
    '/extra/momo-details',
    {
      config: { access: 'anyone' },
      schema: { tags: ['notice'], summary: 'The notice and the mobile-money details', response: { 200: notice } },
    },
    async (request) => selectNotice(request.ctx.db),
  )

  app.put(
    '/extra/notice',
    {
      config: { access: 'admin' },
      schema: { tags: ['notice'], summary: 'Change the notice', body: noticeRequest, response: { 200: notice } },
    },
    async (request) => changeNotice(request.ctx, request.body),
  )

  app.put(
    '/extra/momo-details',
    {
      config: { access: 'admin' },
      schema: { tags: ['notice'], summary: 'Change where mobile money is to be sent', body: momoDetailsRequest, response: { 200: notice } },
    },
    async (request) => changeNotice(request.ctx, request.body),
  )
}
