import { notice } from '../../../shared/notice.ts'
import type { Api } from '../../platform/http/api.ts'
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
}
