import * as z from 'zod/mini'
import { adminAction } from '../../../shared/admin-actions.ts'
import { listQuery, TOTAL_COUNT_HEADER } from '../../../shared/lists.ts'
import type { Api } from '../../platform/http/api.ts'
import { toPage } from '../../platform/http/lists.ts'
import { selectAdminActions } from './activity.sql.ts'
import { presentAdminAction } from './present.ts'

export function adminActionRoutes(app: Api) {
  app.get(
    '/admin/actions',
    {
      config: { access: 'admin' },
      schema: {
        tags: ['admin'],
        summary: 'Who did what as an admin, newest first',
        querystring: listQuery,
        response: { 200: z.array(adminAction) },
      },
    },
    async (request, reply) => {
      const { actions, total } = await selectAdminActions(request.ctx.db, toPage(request.query))
      void reply.header(TOTAL_COUNT_HEADER, total)
      return actions.map(presentAdminAction)
    },
  )
}
