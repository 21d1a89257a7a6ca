import type { Order } from '../../../../shared/orders.ts'

/**
 * How the delivery of an order goes, in the shop's words, where that says more than its status: while it is pending, and
 * that it was delivered once it is completed. A rejected order is paid back, whatever its supplier said.
 */
export function deliveryNews({ status, supplierStatus }: Pick<Order, 'status' | 'supplierStatus'>): string | null {
  if (status === 'pending') return supplierStatus
  return status === 'completed' && supplierStatus === 'Delivered' ? supplierStatus : null
}
