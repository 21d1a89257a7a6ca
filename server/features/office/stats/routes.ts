import { hasRole, SEES_FINANCE } from '../../../../shared/staff-rules.ts'
import { statsEndpoints } from '../../../../shared/stats.ts'
import { requireActor } from '../../../platform/context.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import type { ReadFigures } from './open-figures.ts'
import { readStats } from './read-stats.ts'

export function statsRoutes(app: Api, readFigures: ReadFigures) {
  mount(app, statsEndpoints, {
    'GET /shop/figures': ({ ctx }) => readFigures(ctx.db, ctx.now),
    'GET /order/stats': async ({ ctx }) => {
      const { finance, ...stats } = await readStats(ctx.db, ctx.now)
      if (hasRole(requireActor(ctx), SEES_FINANCE)) return { ...stats, finance }
      return { ...stats, waiting: { orders: stats.waiting.orders } }
    },
  })
}
