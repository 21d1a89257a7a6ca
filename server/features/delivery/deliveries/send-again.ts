import { offerAirtime } from '../../../../shared/airtime.ts'
import type { SendAgainRequest } from '../../../../shared/deliveries.ts'
import type { Network } from '../../../../shared/networks.ts'
import { offerVolumeMb } from '../../../../shared/offers.ts'
import type { SupplierName } from '../../../../shared/suppliers.ts'
import type { SupplierGateway } from '../../../integrations/supplier/suppliers.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { AlreadyDecided, AppError, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { SEND_QUEUE, sendJob } from '../../../platform/queues.ts'
import { makeReference } from '../../../platform/reference.ts'
import { selectBatchesOf } from '../../orders/orders/batch-locks.sql.ts'
import { type DeliveryRow, insertDeliveries, lockDelivery, restartByAdmin } from '../../orders/orders/deliveries.sql.ts'
import { announceDelivery } from '../../orders/orders/events.ts'
import { selectOrder } from '../../orders/orders/orders.sql.ts'
import { refuseLargeRefund } from '../../orders/orders/refuse-large-refund.ts'
import { isResent } from '../../orders/orders/reports.sql.ts'
import { refuseOwnGain } from '../../people/second-factor/refuse-own-gain.ts'
import { selectCostsOfOrders, selectSupplierOrder } from '../supplier/candidates.sql.ts'
import { coversCost } from '../supplier/choose-supplier.ts'
import { isInOutbox } from './deliveries.sql.ts'
import { findResendRefusal } from './find-refusal.ts'
import { routesOf } from './queries.ts'

/**
 * Sends a pending order again under a new reference, to the same supplier or another, or takes it back to be sent by hand. Only
 * while nobody may still deliver it: it was not sent, its supplier refused it or failed, or has said twice that it cannot find
 * it and the admin has looked on the supplier's portal. The database refuses the rest.
 * @throws NotFound, AlreadyDecided, OwnGain, NotSafe; AppError (SECOND_PERSON_NEEDED) beyond what the actor may have sent again alone of what may have arrived
 */
export async function sendAgain(ctx: Ctx, gateway: SupplierGateway, asked: SendAgainRequest & { orderId: string }): Promise<void> {
  requireActor(ctx)
  const { orderId, to } = asked
  await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, 'orders')
    const delivery = await lockDelivery(tx, orderId)
    const order = await selectOrder(tx, orderId)
    if (!order) throw new NotFound('order')
    if (order.status !== 'pending') throw new AlreadyDecided('order', order.status)
    await refuseOwnGain(tx, ctx, 'orders', { users: [order.userId], phones: [order.guestPhone, order.receiver] })
    const standing = delivery?.status ?? null
    if (standing !== asked.supplierStatus) throw new NotSafe('That order has moved on since you looked.')
    const refusal = findResendRefusal({ ...order, standing, notFound: delivery?.notFound ?? 0, isResent: await isResent(tx, orderId) })
    if (refusal !== null) throw new NotSafe(refusal)
    if (standing === 'unknown' && asked.lookedAtPortal !== true) throw new NotSafe('Look on the supplier’s portal first: it may be there.')
    if (!routesOf(gateway.suppliers, { ...order, network: order.network as Network }).includes(to))
      throw new NotSafe(`The shop cannot send ${order.network === 'Airtime' ? order.offer : order.network} there.`)
    if (order.network === 'Airtime' && to !== 'by-hand') await refuseLoss(tx, ctx, orderId, to)
    const { listedIn } = await selectBatchesOf(tx, orderId)
    const mayHaveArrived = standing === 'unknown' || listedIn !== null
    if (mayHaveArrived) await refuseLargeRefund(tx, ctx, order.pricePesewas)
    if (delivery === null) await sendFirst(tx, ctx, gateway, asked, order)
    else await restart(tx, ctx, asked, delivery, admin.id)
    await recordAdminAction(tx, ctx, {
      action: 'order.resend',
      subject: { type: 'order', id: orderId },
      before: {
        supplier: delivery?.supplier ?? 'by-hand',
        ...(standing === null ? {} : { supplierStatus: standing }),
        ...(listedIn === null ? {} : { batch: listedIn }),
      },
      after: { supplier: to, ...(mayHaveArrived ? { worthPesewas: order.pricePesewas } : {}) },
    })
  })
  ctx.jobs.wake(SEND_QUEUE)
  await announceDelivery(ctx, orderId)
}

/** An order that a person was to send goes to a supplier for the first time, under its own reference. */
async function sendFirst(
  tx: Tx,
  ctx: Ctx,
  { timings }: SupplierGateway,
  { orderId, to }: SendAgainRequest & { orderId: string },
  { network, offer, reference }: { network: string; offer: string; reference: string },
) {
  const airtime = network === 'Airtime' ? offerAirtime(offer) : null
  const volumeMb = airtime === null ? offerVolumeMb(offer) : null
  if (to === 'by-hand') throw new NotSafe('That order is yours to send by hand already.')
  if (volumeMb === null && airtime === null) throw new NotSafe('A supplier takes only data bundles, and airtime such as MTN GHS 5.')
  if (await isInOutbox(tx, orderId)) throw new NotSafe('That order has just come in. Please try again in a moment.')
  const delivery = { orderId, reference, supplier: to, volumeMb, airtime }
  await insertDeliveries(tx, [delivery], { now: ctx.now, notFoundApartMs: timings.notFoundApartMs })
  await ctx.jobs.enqueue(tx, SEND_QUEUE, [sendJob(orderId)])
}

async function restart(
  tx: Tx,
  ctx: Ctx,
  { orderId, to, lookedAtPortal = false }: SendAgainRequest & { orderId: string },
  delivery: DeliveryRow,
  by: string,
) {
  const { status, supplier } = delivery
  const isByHand = status === 'rejected' || status === 'failed' || status === 'cancelled'
  if (to === 'by-hand' && isByHand) throw new NotSafe('That order is yours to send by hand already.')
  if (status === 'waiting' && to === supplier) throw new NotSafe('That order is about to be sent there already.')
  const reference = makeReference()
  await restartByAdmin(tx, { orderId, to: to === 'by-hand' ? null : { supplier: to, reference }, lookedAtPortal, by, now: ctx.now })
  // A key of its own: a job of the delivery before may wait for its supplier, and would stand in for this one.
  if (to !== 'by-hand') await ctx.jobs.enqueue(tx, SEND_QUEUE, [{ ...sendJob(orderId), key: reference }])
}

/** Airtime leaves little beside its cost, so only the owner lets it go where it is sold at a loss. */
async function refuseLoss(tx: Tx, ctx: Ctx, orderId: string, to: SupplierName) {
  const { mayCostMore } = await selectSupplierOrder(tx, 'Airtime')
  const [cost] = await selectCostsOfOrders(tx, [orderId], [to], ctx.now)
  if (mayCostMore || (cost !== undefined && coversCost(cost.soldForPesewas, cost.costPesewas))) return
  const why = cost?.costPesewas == null ? 'Its cost there is not set.' : 'It costs more there than it was sold for.'
  throw new NotSafe(`${why} The owner can change that under Suppliers.`)
}

class NotSafe extends AppError {
  constructor(message: string) {
    super('CONFLICT', message)
  }
}
