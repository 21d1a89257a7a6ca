import type { FastifyInstance } from 'fastify'
import type { Order } from '../../../shared/orders.ts'
import { countOrders } from '../../platform/metrics.ts'

const BUYING = /\/order\/(checkout|create)$/

/** Counts what was bought from wallets as the reply leaves; what was paid by card is counted where it is settled. */
export function countWalletOrders(app: FastifyInstance) {
  app.addHook('preSerialization', async (request, reply, payload) => {
    if (!BUYING.test(request.routeOptions.url ?? '') || reply.statusCode !== 200 || reply.hasHeader('idempotency-replayed')) return
    const { order, orders = [] } = payload as { order?: Order; orders?: Order[] }
    countOrders([...orders, ...(order ? [order] : [])].filter(({ paidWith }) => paidWith === 'wallet'))
  })
}
