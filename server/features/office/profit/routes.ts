import { profitEndpoints } from '../../../../shared/profit.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { readProfit, readUncosted } from './queries.ts'
import { recordCosts } from './record-costs.ts'

export function profitRoutes(app: Api) {
  mount(app, profitEndpoints, {
    'GET /admin/profit': ({ ctx, query }) => readProfit(ctx.db, query),
    'GET /admin/profit/uncosted': async ({ ctx }) => ({ packages: await readUncosted(ctx.db, ctx.now) }),
    'POST /admin/profit/uncosted': ({ ctx, body }) => recordCosts(ctx, body),
  })
}
