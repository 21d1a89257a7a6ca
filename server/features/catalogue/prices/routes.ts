import { priceEndpoints } from '../../../../shared/prices.ts'
import type { Ctx } from '../../../platform/context.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { approvePrices } from './approve-prices.ts'
import { cancelSchedule } from './cancel-schedule.ts'
import { publishPrices } from './publish-prices.ts'
import { readPrices } from './queries.ts'
import { schedulePrices } from './schedule-prices.ts'
import { undoPublication } from './undo-publication.ts'

/** A thousand packages with their old and new prices. */
const BODY_WITH_PRICES_BYTES = 512 * 1024

export function priceRoutes(app: Api) {
  const after = async (ctx: Ctx, write: Promise<void>) => {
    await write
    return readPrices(ctx.db, ctx.now)
  }
  mount(
    app,
    priceEndpoints,
    {
      'GET /admin/prices': async ({ ctx }) => readPrices(ctx.db, ctx.now),
      'POST /admin/prices/publish': async ({ ctx, body }) => after(ctx, publishPrices(ctx, body)),
      'POST /admin/price-schedules': async ({ ctx, body }) => after(ctx, schedulePrices(ctx, body)),
      'DELETE /admin/price-schedules/:id': async ({ ctx, params }) => after(ctx, cancelSchedule(ctx, params.id)),
      'POST /admin/price-proposals/:id/approve': async ({ ctx, params, body }) => {
        await approvePrices(ctx, { id: params.id, actionHash: body.hash })
        return { message: 'The new prices are agreed.' }
      },
      'POST /admin/prices/:id/undo': async ({ ctx, params }) => after(ctx, undoPublication(ctx, params.id)),
    },
    {
      'POST /admin/prices/publish': { bodyLimit: BODY_WITH_PRICES_BYTES },
      'POST /admin/price-schedules': { bodyLimit: BODY_WITH_PRICES_BYTES },
    },
  )
}
