import { formatDateTime } from '../../../shared/dates.ts'
import { toCedis } from '../../../shared/money.ts'
import type { Order } from '../../../shared/orders.ts'
import { DELIVERY_WORDS, type SupplierDelivery } from '../../../shared/suppliers.ts'
import { imageAddress } from '../products/encode-image.ts'
import type { OrderRow } from './orders.sql.ts'

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
    supplierStatus: row.supplier && DELIVERY_WORDS[row.supplier.status],
    ...(audience === 'admin'
      ? { supplier: row.supplier && presentDelivery(row.supplier), onHold: row.status === 'pending' ? row.holdReason : null }
      : {}),
  }
}

function presentDelivery(delivery: SupplierDelivery): SupplierDelivery {
  return { ...delivery, updatedAt: new Date(delivery.updatedAt).toISOString() }
}
