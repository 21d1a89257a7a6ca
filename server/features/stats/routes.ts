import { statsEndpoints } from '../../../shared/stats.ts'
import type { Api } from '../../platform/http/api.ts'
import { mount } from '../../platform/http/mount.ts'
import { readStats } from './read-stats.ts'

export function statsRoutes(app: Api) {
  mount(app, statsEndpoints, { 'GET /order/stats': ({ ctx }) => readStats(ctx.db, ctx.now) })
}
