import type { SupplierName } from '../../../../shared/suppliers.ts'
import { carries } from '../../../integrations/supplier/data-supplier.ts'
import type { SupplierGateway } from '../../../integrations/supplier/suppliers.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { NOTIFY_QUEUE, notifyJob, SEND_QUEUE, sendJob } from '../../../platform/queues.ts'
import { makeReference } from '../../../platform/reference.ts'
import { cancelUnsent, type DeliveryRow, lockDelivery, restartByItself } from '../../orders/orders/deliveries.sql.ts'
import { announceDelivery } from '../../orders/orders/events.ts'
import { isSentByPerson, selectFacts, selectSupplierOrder } from './candidates.sql.ts'
import { chooseSupplier, coversCost } from './choose-supplier.ts'

/**
 * Lets an order that its supplier certainly does not have go on to the network's next supplier, under a new reference. One that waits where
 * it may not go any more, and nowhere else either, is a person's from then on. Returns false where it stays: there is no other, none that
 * may have it now, or it stands where a person sent it. The caller has locked the delivery, and what it has learned about it is stored.
 */
export async function changeSupplier(
  tx: Tx,
  ctx: Ctx,
  gateway: SupplierGateway,
  orderId: string,
  { notNow }: { notNow?: SupplierName } = {},
): Promise<boolean> {
  const delivery = await lockDelivery(tx, orderId)
  if (!delivery || !mayGoOn(delivery)) return false
  const { names, mayCostMore } = await selectSupplierOrder(tx, delivery.network)
  if (await isSentByPerson(tx, delivery)) return false
  const { soldForPesewas, candidates } = await selectFacts(tx, orderId, withCurrent(names, delivery.supplier), ctx.now)
  const carriesIt = (name: SupplierName) => {
    const supplier = gateway.suppliers.get(name)
    return supplier !== undefined && carries(supplier, delivery)
  }
  const choice = chooseSupplier({
    candidates: candidates.map((candidate) => ({ ...candidate, carries: carriesIt(candidate.name) })),
    current: delivery.supplier,
    notNow,
    soldForPesewas,
    guardsFirst: delivery.network === 'Airtime',
    mayCostMore,
  })
  if (choice.to === 'person') return delivery.status === 'waiting' && choice.why !== '' ? takeBack(tx, ctx, orderId, choice.why) : false
  // It waits where it is as long as it may go there; if not, it rather waits at the next than for a person.
  if (choice.supplier === delivery.supplier) return false
  const reference = makeReference()
  await restartByItself(tx, { orderId, to: { supplier: choice.supplier, reference }, why: describe(delivery), now: ctx.now })
  // A key of its own: a job of the delivery before may wait for its supplier, and would stand in for this one.
  await ctx.jobs.enqueue(tx, SEND_QUEUE, [{ ...sendJob(orderId), key: reference }])
  return true
}

/** What its cost was when it came here may have changed, and so may the owner's word. */
async function takeBack(tx: Tx, ctx: Ctx, orderId: string, why: string): Promise<true> {
  await cancelUnsent(tx, orderId, `not sent: ${why}`, ctx.now)
  await ctx.jobs.enqueue(tx, NOTIFY_QUEUE, [notifyJob('order', orderId)])
  return true
}

/** The same for an order that is about to be sent, before its supplier is called. Nothing is locked for data of a network with one supplier. */
export async function changeSupplierUnsent(ctx: Ctx, gateway: SupplierGateway, delivery: DeliveryRow): Promise<boolean> {
  const { names, mayCostMore } = await selectSupplierOrder(ctx.db, delivery.network)
  const isOnlyOne = delivery.network !== 'Airtime' && names.length === 1 && names[0] === delivery.supplier
  if (isOnlyOne && (mayCostMore || !(await isAtLoss(ctx, delivery)))) return false
  const changed = await transaction(ctx.db, (tx) => changeSupplier(tx, ctx, gateway, delivery.orderId))
  if (!changed) return false
  ctx.jobs.wake(SEND_QUEUE)
  ctx.jobs.wake(NOTIFY_QUEUE)
  await announceDelivery(ctx, delivery.orderId)
  return true
}

async function isAtLoss({ db, now }: Ctx, { orderId, supplier }: DeliveryRow): Promise<boolean> {
  const { soldForPesewas, candidates } = await selectFacts(db, orderId, [supplier], now)
  return candidates.some(({ costPesewas }) => costPesewas !== null && !coversCost(soldForPesewas, costPesewas))
}

/** One that was sent again because its supplier said that it could not find it is that supplier's, unless it failed there. */
function mayGoOn({ status, resent, orderStatus, isResend }: DeliveryRow): boolean {
  if (orderStatus !== 'pending' || isResend) return false
  return status === 'failed' || (resent === 0 && (status === 'waiting' || status === 'rejected'))
}

/** An order may stand at a supplier that the owner has taken off the list since. */
function withCurrent(names: SupplierName[], current: SupplierName): SupplierName[] {
  return names.includes(current) ? names : [...names, current]
}

function describe({ status, detail }: DeliveryRow): string {
  if (status === 'rejected') return `it was refused: ${detail}`
  if (status === 'failed') return `it could not be delivered: ${detail}`
  return detail === '' ? 'it takes no orders at the moment' : `it does not take it now: ${detail}`
}
