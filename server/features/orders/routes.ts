import * as z from 'zod/mini'
import { TOTAL_COUNT_HEADER } from '../../../shared/lists.ts'
import {
  decideManyReply,
  decideManyRequest,
  decideOrderRequest,
  order,
  orderListQuery,
  orderParams,
  orderReply,
  proxyReply,
  proxyRequest,
} from '../../../shared/orders.ts'
import { requireActor } from '../../platform/context.ts'
import type { Api } from '../../platform/http/api.ts'
import { toPage } from '../../platform/http/lists.ts'
import { decideMany } from './decide-many.ts'
import { decideOrder } from './decide-order.ts'
import { listAllOrders } from './list-all-orders.ts'
import { selectOwnOrders } from './orders.sql.ts'
import { presentOrder } from './present.ts'
import { findOrderId, findOwnOrder } from './queries.ts'

export function orderRoutes(app: Api) {
  app.get(
    '/order/allorders',
    {
      config: { access: 'signed-in' },
      schema: {
        tags: ['orders'],
        summary: 'Own orders, newest first; an admin sees all',
        querystring: orderListQuery,
        response: { 200: z.array(order) },
      },
    },
    async (request, reply) => {
      const actor = requireActor(request.ctx)
      const { status = null, network = null, mine, ...list } = request.query
      const filter = { ...toPage(list), status, network }
      const { orders, total } =
        actor.level === 'Admin' && mine === undefined
          ? await listAllOrders(request.ctx.db, filter)
          : await selectOwnOrders(request.ctx.db, { ...filter, userId: actor.id })
      void reply.header(TOTAL_COUNT_HEADER, total)
      const audience = actor.level === 'Admin' ? 'admin' : 'buyer'
      return orders.map((row) => presentOrder(row, audience))
    },
  )

  app.put(
    '/order/update-status/:id',
    {
      config: { access: 'admin' },
      schema: {
        tags: ['orders'],
        summary: 'Complete or reject a pending order; one that a supplier has is rejected only with a reason',
        params: orderParams,
        body: decideOrderRequest,
        response: { 200: orderReply },
      },
    },
    async (request) => {
      const decided = await decideOrder(request.ctx, { orderId: await findOrderId(request.ctx, request.params.id), ...request.body })
      return { order: presentOrder(decided, 'admin') }
    },
  )

  app.post(
    '/order/decide-many',
    {
      config: { access: 'admin' },
      schema: {
        tags: ['orders'],
        summary: 'Complete or reject many pending orders, each by itself',
        body: decideManyRequest,
        response: { 200: decideManyReply },
      },
    },
    async (request) => {
      const { decided, refused } = await decideMany(request.ctx, request.body)
      return { decided: decided.map((row) => presentOrder(row, 'admin')), refused }
    },
  )

  app.post(
    '/proxy',
    {
      config: { access: 'signed-in' },
      schema: {
        tags: ['orders'],
        summary: "What the data supplier says of one's own order",
        body: proxyRequest,
        response: { 200: proxyReply },
      },
    },
    async (request) => {
      const found = await findOwnOrder(request.ctx, request.body.body.reference)
      return { data: { status: presentOrder(found, 'buyer').supplierStatus ?? found.status } }
    },
  )
}
