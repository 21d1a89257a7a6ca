import { stats } from '../../../shared/stats.ts'
import type { Api } from '../../platform/http/api.ts'
import { readStats } from './read-stats.ts'

export function statsRoutes(app: Api) {
  app.get(
    '/order/stats',
    { config: { access: 'admin' }, schema: { tags: ['stats'], summary: 'The Admin Statistics', response: { 200: stats } } },
    async (request) => readStats(request.ctx.db, request.ctx.now),
  )
}
