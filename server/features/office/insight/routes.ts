import { insightEndpoints } from '../../../../shared/insight.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { readInsight } from './queries.ts'

export function insightRoutes(app: Api) {
  mount(app, insightEndpoints, {
    'GET /admin/insight': ({ ctx, query }) => readInsight(ctx.db, query, ctx.now),
  })
}
