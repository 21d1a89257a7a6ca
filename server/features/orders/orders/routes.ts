import { orderEndpoints } from '../../../../shared/orders.ts'
import { hasRole, SEES_ORDERS } from '../../../../shared/staff-rules.ts'
import { requireActor } from '../../../platform/context.ts'
import type { Api } from '../../../platform/http/api.ts'
import { toPage } from '../../../platform/http/lists.ts'
import { mount } from '../../../platform/http/mount.ts'
import { decideMany } from './decide-many.ts'
import { decideOrder } from './decide-order.ts'
import { listAllOrders } from './list-all-orders.ts'
import { selectOwnOrders } from './orders.sql.ts'
import { presentOrder } from './present.ts'
import { findOrderId, findOwnOrder, findVisibleOrder, readOrderCounts, readOwnProgress } from './queries.ts'

export function orderRoutes(app: Api) {
  mount(
    app,
    orderEndpoints,
    {
      'GET /order/allorders': async ({ ctx, query }) => {
        const actor = requireActor(ctx)
        const { status = null, network = null, segment = null, mine, ...list } = query
        const filter = { ...toPage(list), status, network }
        const { orders, total } =
          hasRole(actor, SEES_ORDERS) && mine === undefined
            ? await listAllOrders(ctx.db, { ...filter, segment: segment === 'all' ? null : segment })
            : await selectOwnOrders(ctx.db, { ...filter, userId: actor.id })
        const audience = hasRole(actor, SEES_ORDERS) ? 'admin' : 'buyer'
        return { rows: orders.map((row) => presentOrder(row, audience)), total }
      },

      'GET /admin/order-counts': async ({ ctx }) => readOrderCounts(ctx.db),

      'GET /order/:id': async ({ ctx, params }) => {
        const found = await findVisibleOrder(ctx, params.id)
        const audience = hasRole(requireActor(ctx), SEES_ORDERS) ? 'admin' : 'buyer'
        return { order: presentOrder(found, audience), ...(await readOwnProgress(ctx, found)) }
      },

      'PUT /order/update-status/:id': async ({ ctx, params, body }) => {
        const decided = await decideOrder(ctx, { orderId: await findOrderId(ctx, params.id), ...body })
        return { order: presentOrder(decided, 'admin') }
      },

      'POST /order/decide-many': async ({ ctx, body }) => {
        const { decided, refused } = await decideMany(ctx, body)
        return { decided: decided.map((row) => presentOrder(row, 'admin')), refused }
      },

      'POST /proxy': async ({ ctx, body }) => {
        const found = await findOwnOrder(ctx, String(body.body.reference))
        return { data: { status: presentOrder(found, 'buyer').supplierStatus ?? found.status } }
      },
    },
    { 'POST /proxy': { share: 'changes' } },
  )
}
