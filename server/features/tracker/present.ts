import type { OrderProgress } from '../../../shared/orders.ts'
import type { TrackedOrder } from '../../../shared/tracker.ts'
import type { OrderRow } from '../orders/orders.sql.ts'

export function presentTrackedOrder(order: OrderRow, { steps, expected }: OrderProgress): TrackedOrder {
  const { seq, network, offer, status } = order
  return { number: String(seq), network, offer, receiver: maskPhone(order.receiver), status, steps, expected }
}

/** 0241234567 as 024 ••• 4567: enough for the receiver to recognise, too little to call. */
function maskPhone(phone: string): string {
  return `${phone.slice(0, 3)} ••• ${phone.slice(-4)}`
}
