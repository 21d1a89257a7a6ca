import { costEndpoints } from '../../../../shared/costs.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { changeCosts } from './change-costs.ts'
import { readCostHistory, readCosts } from './queries.ts'

/** Two thousand lines of a product's id, an offer, a supplier and a cost. */
const BODY_WITH_COSTS_BYTES = 512 * 1024

export function costRoutes(app: Api) {
  mount(
    app,
    costEndpoints,
    {
      'GET /admin/costs': async ({ ctx }) => ({ costs: await readCosts(ctx.db, ctx.now) }),
      'GET /admin/costs/:productId': async ({ ctx, params }) => ({ costs: await readCostHistory(ctx.db, params.productId) }),
      'PUT /admin/costs': async ({ ctx, body }) => {
        await changeCosts(ctx, body)
        return { costs: await readCosts(ctx.db, ctx.now) }
      },
    },
    { 'PUT /admin/costs': { bodyLimit: BODY_WITH_COSTS_BYTES } },
  )
}
