import { statsEndpoints } from '../../../shared/stats.ts'
import type { Api } from '../../platform/http/api.ts'
import { mount } from '../../platform/http/mount.ts'
import type { ReadFigures } from './open-figures.ts'
import { readStats } from './read-stats.ts'

export function statsRoutes(app: Api, readFigures: ReadFigures) {
  mount(app, statsEndpoints, {
    'GET /shop/figures': ({ ctx }) => readFigures(ctx.db, ctx.now),
    'GET /order/stats': ({ ctx }) => readStats(ctx.db, ctx.now),
  })
}
