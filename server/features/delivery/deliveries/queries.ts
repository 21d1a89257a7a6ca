import { offerAirtime } from '../../../../shared/airtime.ts'
import type { OrderDetail } from '../../../../shared/deliveries.ts'
import { toCedis } from '../../../../shared/money.ts'
import type { Network } from '../../../../shared/networks.ts'
import type { Route } from '../../../../shared/settings.ts'
import { hasRole, SEES_COSTS } from '../../../../shared/staff-rules.ts'
import { carries } from '../../../integrations/supplier/data-supplier.ts'
import type { Suppliers } from '../../../integrations/supplier/suppliers.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { NotFound } from '../../../platform/errors.ts'
import { selectDelivery } from '../../orders/orders/deliveries.sql.ts'
import { selectOrder, selectOwnOrders } from '../../orders/orders/orders.sql.ts'
import { presentOrder } from '../../orders/orders/present.ts'
import { isResent } from '../../orders/orders/reports.sql.ts'
import { selectHealth } from '../supplier/health.sql.ts'
import { selectBuyer, selectCostsOf, selectGuest, selectStoredEvents } from './deliveries.sql.ts'
import { findCorrectionRefusal, findResendRefusal, type Stand } from './find-refusal.ts'
import { gatherEvents } from './gather-events.ts'

const RECENT = 6

/**
 * One order for whoever works on it. Costs only for those who see them.
 * @throws NotFound
 */
export async function readOrderDetail(ctx: Ctx, suppliers: Suppliers, orderId: string): Promise<OrderDetail> {
  const order = await selectOrder(ctx.db, orderId)
  if (!order) throw new NotFound('order')
  const routes = routesOf(suppliers, { ...order, network: order.network as Network })
  const [stored, buyer, delivery, resent, health, costs, recent] = await Promise.all([
    selectStoredEvents(ctx.db, orderId),
    order.userId === null ? selectGuest(ctx.db, order) : selectBuyer(ctx.db, order.userId),
    selectDelivery(ctx.db, orderId),
    isResent(ctx.db, orderId),
    selectHealth(ctx.db),
    selectCostsOf(ctx.db, order, routes, ctx.now),
    order.userId === null
      ? { orders: [] }
      : selectOwnOrders(ctx.db, { userId: order.userId, status: null, network: null, search: null, limit: RECENT + 1, offset: 0 }),
  ])
  const stand: Stand = { ...order, standing: delivery?.status ?? null, notFound: delivery?.notFound ?? 0, isResent: resent }
  const whyNotAgain = findResendRefusal(stand)
  const whyNotCorrect = findCorrectionRefusal(stand)
  const canAsk = delivery !== null && ['accepted', 'unknown', 'failed'].includes(delivery.status)
  const seesCosts = hasRole(requireActor(ctx), SEES_COSTS)
  const { id, since, ...facts } = buyer
  return {
    order: presentOrder(order, 'admin'),
    buyer: { _id: id, since: since.toISOString(), ...facts },
    events: gatherEvents(order, stored),
    routes: routes.map((to) => {
      const breaker = health.find(({ name }) => name === to)
      const cost = costs.get(to) ?? null
      return {
        to,
        resting: breaker?.openUntil != null,
        reason: breaker?.openUntil == null ? '' : breaker.reason,
        ...(seesCosts ? { cost: cost === null ? null : toCedis(cost) } : {}),
      }
    }),
    sendAgain: { possible: whyNotAgain === null, why: whyNotAgain, needsPortal: stand.standing === 'unknown' },
    correct: { possible: whyNotCorrect === null, why: whyNotCorrect },
    ask: { possible: canAsk, why: canAsk ? null : 'There is nothing to ask a supplier about.' },
    recent: recent.orders
      .filter((one) => one.id !== orderId)
      .slice(0, RECENT)
      .map((one) => presentOrder(one, 'admin')),
  }
}

/** Where an order could be sent: by hand, and at the configured suppliers that carry what it is about. */
export function routesOf(suppliers: Suppliers, { network, offer }: { network: Network; offer: string }): Route[] {
  const airtime = network === 'Airtime' ? offerAirtime(offer) : null
  return ['by-hand', ...[...suppliers.values()].filter((supplier) => carries(supplier, { network, airtime })).map(({ name }) => name)]
}
