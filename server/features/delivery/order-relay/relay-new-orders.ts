import { type Airtime, offerAirtime } from '../../../../shared/airtime.ts'
import { offerVolumeMb } from '../../../../shared/offers.ts'
import type { SupplierName } from '../../../../shared/suppliers.ts'
import { carries } from '../../../integrations/supplier/data-supplier.ts'
import type { SupplierGateway, Suppliers } from '../../../integrations/supplier/suppliers.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import type { NewJob } from '../../../platform/job-queue.ts'
import { CHECKER_QUEUE, checkerJob, NEW_ORDERS_QUEUE, newOrdersJob, SEND_QUEUE, sendJob } from '../../../platform/queues.ts'
import { announceBulkProgress } from '../../orders/bulk/events.ts'
import { insertDeliveries, type NewDelivery } from '../../orders/orders/deliveries.sql.ts'
import { announceDelivery } from '../../orders/orders/events.ts'
import { type SettingsRow, selectSettings } from '../../shop/settings/settings.sql.ts'
import { selectCostsOfOrders, selectSupplierOrder } from '../supplier/candidates.sql.ts'
import { coversCost } from '../supplier/choose-supplier.ts'
import { type NewOrder, takeNewOrders } from './order-relay.sql.ts'

const AT_ONCE = 200

/**
 * Adds the jobs for each new order: sending it to a supplier where its network is routed to one, else notifying the
 * operator. The order leaves the outbox in the same transaction, so none is lost or done twice.
 */
export async function relayNewOrders(ctx: Ctx, gateway: SupplierGateway): Promise<void> {
  for (;;) {
    const { taken, queues, routed, lists } = await transaction(ctx.db, (tx) => relaySome(tx, ctx, gateway))
    for (const queue of queues) ctx.jobs.wake(queue)
    for (const orderId of routed) await announceDelivery(ctx, orderId)
    for (const [jobId, userId] of lists) announceBulkProgress(ctx, userId, jobId)
    if (taken < AT_ONCE) return
  }
}

/** `queues`: those that have new jobs. */
type Relayed = { taken: number; queues: string[]; routed: string[]; lists: ReadonlyMap<string, string> }

async function relaySome(tx: Tx, ctx: Ctx, { suppliers, timings }: SupplierGateway): Promise<Relayed> {
  const orders = await takeNewOrders(tx, AT_ONCE)
  if (orders.length === 0) return { taken: 0, queues: [], routed: [], lists: new Map() }
  const settings = await selectSettings(tx)
  const data = orders.flatMap((order) => toDelivery(order, settings, suppliers) ?? [])
  const deliveries = [...data, ...(await toAirtimeDeliveries(tx, ctx, orders, suppliers))]
  const routed = new Set(deliveries.map(({ orderId }) => orderId))
  if (deliveries.length > 0) await insertDeliveries(tx, deliveries, { now: ctx.now, notFoundApartMs: timings.notFoundApartMs })
  const announced = orders.filter(
    (order) => order.isAlone && !routed.has(order.id) && (settings.operatorCheckerSms || !isHandedOver(order)),
  )
  const jobs: [string, NewJob[]][] = [
    [SEND_QUEUE, deliveries.map(({ orderId }) => sendJob(orderId))],
    [NEW_ORDERS_QUEUE, announced.length === 0 ? [] : [newOrdersJob(announced.map(({ id }) => id))]],
    [CHECKER_QUEUE, orders.filter(isHandedOver).map(({ id }) => checkerJob(id))],
  ]
  for (const [queue, added] of jobs) await ctx.jobs.enqueue(tx, queue, added)
  const queues = jobs.filter(([, added]) => added.length > 0).map(([queue]) => queue)
  // One announcement for all orders of a list.
  const lists = new Map(orders.flatMap(({ bulkJobId, userId }) => (bulkJobId && userId ? [[bulkJobId, userId] as const] : [])))
  const alone = orders.filter(({ id, bulkJobId }) => routed.has(id) && !bulkJobId)
  return { taken: orders.length, queues, routed: alone.map(({ id }) => id), lists }
}

/** A checker from the stock is with its buyer as it is paid for: nobody has to process it. */
function isHandedOver({ network, status }: NewOrder) {
  return network === 'WAEC Checkers' && status === 'completed'
}

/** The delivery to send to a supplier; null when a person processes the order. */
function toDelivery({ id, network, offer, reference }: NewOrder, settings: SettingsRow, suppliers: Suppliers): NewDelivery | null {
  const supplier = suppliers.get(settings.supplierRoutes[network] ?? ('by-hand' as never))
  const volumeMb = offerVolumeMb(offer)
  if (!supplier?.networks.includes(network) || volumeMb === null) return null
  return { orderId: id, reference, supplier: supplier.name, volumeMb }
}

/**
 * Airtime goes to the first supplier in the owner's order that sends that operator's and does not cost more than the shop keeps of the
 * price, unless the owner lets it. Where all cost more, or their cost is not set, it waits at the first, and is taken back with that reason
 * before it is sent. What none of them sends, a person processes.
 */
async function toAirtimeDeliveries(tx: Tx, { now }: Ctx, orders: NewOrder[], suppliers: Suppliers): Promise<NewDelivery[]> {
  const wanted = orders.flatMap(({ id, network, offer, reference }) => {
    const airtime = network === 'Airtime' ? offerAirtime(offer) : null
    return airtime === null ? [] : [{ id, reference, airtime }]
  })
  if (wanted.length === 0) return []
  const { names, mayCostMore } = await selectSupplierOrder(tx, 'Airtime')
  if (names.length === 0) return []
  const orderIds = wanted.map(({ id }) => id)
  const costs = await selectCostsOfOrders(tx, orderIds, names, now)
  const sends = (name: SupplierName, airtime: Airtime) => {
    const supplier = suppliers.get(name)
    return supplier !== undefined && carries(supplier, { network: 'Airtime', airtime })
  }
  return wanted.flatMap(({ id, reference, airtime }) => {
    const able = costs.filter(({ orderId, name }) => orderId === id && sends(name, airtime))
    const chosen = able.find(({ soldForPesewas, costPesewas }) => mayCostMore || coversCost(soldForPesewas, costPesewas)) ?? able[0]
    return chosen ? [{ orderId: id, reference, supplier: chosen.name, volumeMb: null, airtime }] : []
  })
}
