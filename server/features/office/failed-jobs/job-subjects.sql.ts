import type { OrderStatus } from '../../../../shared/orders.ts'
import type { DeliveryStatus, SupplierName } from '../../../../shared/suppliers.ts'
import type { Queryable } from '../../../platform/db.ts'

export type JobOrder = {
  orderId: string
  id: string
  network: string
  offer: string
  receiver: string
  agent: string
  pricePesewas: number
  surchargePesewas: number
  status: OrderStatus
  reference: string
  supplier: SupplierName | null
  delivery: DeliveryStatus | null
}

/** The jobs' orders, by order id. */
export async function selectJobOrders(db: Queryable, orderIds: string[]): Promise<Map<string, JobOrder>> {
  if (orderIds.length === 0) return new Map()
  const { rows } = await db.query<JobOrder>(
    `select o.id as "orderId", o.seq::text as id, o.network, o.offer, o.receiver, coalesce(u.username, 'guest ' || o.guest_phone) as agent,
       o.price_pesewas as "pricePesewas", o.surcharge_pesewas as "surchargePesewas", o.status, o.reference, d.supplier, d.status as delivery
     from orders o left join users u on u.id = o.user_id left join supplier_deliveries d on d.order_id = o.id
     where o.id = any ($1::uuid[])`,
    [orderIds],
  )
  return new Map(rows.map((order) => [order.orderId, order]))
}

/** `orderId` is null for a digest of several orders. */
export type JobMessage = { id: string; receiver: string; orderId: string | null }

/** The messages to be sent by jobs, by message id. */
export async function selectJobMessages(db: Queryable, messageIds: string[]): Promise<Map<string, JobMessage>> {
  if (messageIds.length === 0) return new Map()
  const { rows } = await db.query<JobMessage>('select id, receiver, order_id as "orderId" from sms_messages where id = any ($1::uuid[])', [
    messageIds,
  ])
  return new Map(rows.map((message) => [message.id, message]))
}
