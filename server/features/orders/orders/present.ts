import { formatDateTime } from '../../../../shared/dates.ts'
import { toCedis } from '../../../../shared/money.ts'
import type { ExpectedDelivery, Order, OrderStep, Report } from '../../../../shared/orders.ts'
import { deliveryWords, type SupplierDelivery } from '../../../../shared/suppliers.ts'
import { imageAddress } from '../../shop/images/encode-image.ts'
import type { DeliveryTimes, UsualTimes } from './delivery-times.sql.ts'
import type { OrderRow } from './orders.sql.ts'
import type { ReportRow } from './reports.sql.ts'

/**
 * An order as its buyer sees it; admins also see the supplier's details. `number` is the shop's own and shown everywhere; a
 * client's own id is returned only to that client.
 */
export function presentOrder(row: OrderRow, audience: 'buyer' | 'admin'): Order {
  const number = String(row.seq)
  const id = audience === 'buyer' ? (row.clientId ?? number) : number
  const amount = toCedis(row.pricePesewas)
  return {
    _id: row.id,
    id,
    number,
    user: row.username,
    agent: row.username,
    network: row.network,
    receiver: row.receiver,
    offer: row.offer,
    totalAmount: amount,
    surcharge: toCedis(row.surchargePesewas),
    items: [{ id, service: row.network, phoneNumber: row.receiver, offer: row.offer, amount, image: imageAddress(row.imageHash) }],
    reference: row.reference,
    paidWith: row.paidWith,
    paymentReference: row.paymentReference,
    status: row.status,
    date: formatDateTime(row.createdAt),
    createdAt: row.createdAt.toISOString(),
    actionTimestamp: row.decidedAt ? formatDateTime(row.decidedAt) : null,
    supplierStatus: row.supplier && deliveryWords(row.supplier),
    ...(isVerifying(row) ? { verifying: true as const } : {}),
    ...(row.needsDetails ? { needsDetails: true as const } : {}),
    ...(row.clientReference === null ? {} : { clientReference: row.clientReference }),
    ...(row.listId === null ? {} : { list: row.listId }),
    ...(row.refundReason === null ? {} : { refundReason: row.refundReason }),
    ...(audience === 'admin'
      ? {
          buyerPhone: row.buyerPhone,
          supplier: row.supplier && presentDelivery(row.supplier),
          onHold: row.status === 'pending' ? row.holdReason : null,
          ...(row.userId === null ? { guest: true } : {}),
          ...(row.channel === null ? {} : { channel: row.channel }),
          ...(row.batch === null ? {} : { batch: row.batch }),
        }
      : {}),
  }
}

/** Pending because its network verifies the receiver's number first, which takes days. */
export function isVerifying({ status, supplier }: Pick<OrderRow, 'status' | 'supplier'>): boolean {
  return status === 'pending' && supplier?.status === 'accepted' && supplier.verifyingSince !== null
}

/**
 * A step has happened only with evidence: the supplier's answer, or the decision of the shop. After a resend the supplier's
 * answers are about that one.
 */
export function stepsOf(order: OrderRow, { acceptedAt, deliveredAt, resentAt }: DeliveryTimes): OrderStep[] {
  const paid = stepAt('paid', order.createdAt)
  const again = resentAt ? [stepAt('resent', resentAt)] : []
  const sent = acceptedAt ? [...again, stepAt('sent', acceptedAt)] : again
  if (order.status === 'rejected') return [paid, ...sent, stepAt('refunded', order.decidedAt)]
  if (deliveredAt) return [paid, ...sent, stepAt('delivered', deliveredAt)]
  const isAtSupplierAgain = resentAt !== null && order.supplier !== null
  if (order.status === 'pending' || isAtSupplierAgain) return [paid, ...sent, stepAt('delivered', null)]
  const completed = stepAt('completed', order.decidedAt)
  return resentAt ? [paid, completed, ...again] : [paid, ...sent, completed]
}

function stepAt(step: OrderStep['step'], at: Date | null): OrderStep {
  return { step, at: at?.toISOString() ?? null }
}

/** Whole minutes, rounded outwards: "4 to 12 minutes" must hold for an order that took 3.8 or 11.2. */
export function expectedOf(sentAt: Date, usual: UsualTimes | null): ExpectedDelivery | null {
  if (!usual) return null
  const toMinutes = Math.max(1, Math.ceil(usual.p90Seconds / 60))
  return {
    fromMinutes: Math.min(toMinutes, Math.max(1, Math.floor(usual.p10Seconds / 60))),
    toMinutes,
    by: new Date(sentAt.getTime() + toMinutes * 60_000).toISOString(),
  }
}

export function presentReport({ id, orderId, orderSeq, status, openedAt, endedAt, messages }: ReportRow): Report {
  return {
    _id: id,
    orderId,
    number: String(orderSeq),
    status,
    openedAt: openedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    messages: messages.map(({ from, text, at }) => ({ from, text, at: new Date(at).toISOString() })),
  }
}

function presentDelivery(delivery: SupplierDelivery): SupplierDelivery {
  const { updatedAt, verifyingSince } = delivery
  return {
    ...delivery,
    updatedAt: new Date(updatedAt).toISOString(),
    verifyingSince: verifyingSince === null ? null : new Date(verifyingSince).toISOString(),
  }
}
