import type { OrderProgress } from '../../../shared/orders.ts'
import { maskPhone } from '../../../shared/phones.ts'
import type { TrackedOrder } from '../../../shared/tracker.ts'
import type { OrderRow } from '../orders/orders.sql.ts'

export function presentTrackedOrder(order: OrderRow, { steps, expected }: OrderProgress): TrackedOrder {
  const { seq, network, offer, status } = order
  return { number: String(seq), network, offer, receiver: maskPhone(order.receiver), status, steps, expected }
}
