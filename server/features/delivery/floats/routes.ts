import { floatEndpoints } from '../../../../shared/floats.ts'
import { hasRole, SEES_FINANCE } from '../../../../shared/staff-rules.ts'
import { requireActor } from '../../../platform/context.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { changeFloatSettings } from './change-float-settings.ts'
import { changeSupplierOrder } from './change-supplier-order.ts'
import { presentFloats } from './present.ts'
import { type FloatDeps, readFloats } from './queries.ts'
import { readSupplierOrder } from './read-supplier-order.ts'
import { recordBalance } from './record-balance.ts'
import { releaseHeldOrders } from './release-held-orders.ts'
import { retrySupplier } from './retry-supplier.ts'

export function floatRoutes(app: Api, deps: FloatDeps) {
  mount(app, floatEndpoints, {
    'GET /admin/suppliers': async ({ ctx }) =>
      presentFloats(await readFloats(ctx.db, deps, ctx.now), { withAmounts: hasRole(requireActor(ctx), SEES_FINANCE) }),
    'POST /admin/suppliers/:name/retry': async ({ ctx, params }) => {
      const orders = await retrySupplier(ctx, params.name)
      if (orders === 0) return { message: 'No order is waiting there. The next one is sent at once.' }
      return { message: `${orders === 1 ? '1 order is' : `${orders} orders are`} being sent now.` }
    },
    'POST /admin/suppliers/:name/release': async ({ ctx, params }) => {
      const orders = await releaseHeldOrders(ctx, params.name)
      if (orders === 0) return { message: 'No order is waiting there any more.' }
      return { message: `${orders === 1 ? '1 order is' : `${orders} orders are`} yours to process by hand now.` }
    },
    'GET /admin/suppliers/order': async ({ ctx }) => readSupplierOrder(ctx, deps.suppliers),
    'PUT /admin/suppliers/order': async ({ ctx, body }) => {
      await changeSupplierOrder(ctx, deps.suppliers, body)
      return readSupplierOrder(ctx, deps.suppliers)
    },
    'PUT /admin/suppliers/balance': async ({ ctx, body }) => {
      await recordBalance(ctx, body)
      return { message: 'The balance is saved.' }
    },
    'PUT /admin/suppliers/settings': async ({ ctx, body }) => {
      await changeFloatSettings(ctx, body)
      return { message: 'Saved.' }
    },
  })
}
