import type { OrderDetail } from '../../../../../shared/deliveries.ts'
import type { Order } from '../../../../../shared/orders.ts'

/** Whether a supplier was asked for it and said no, or could not deliver it. */
export function wasRefused({ supplier }: Pick<Order, 'supplier'>): boolean {
  return supplier?.status === 'rejected' || supplier?.status === 'failed'
}

/**
 * Where an order goes if nobody chooses: not to a supplier that rests, nor to the one that has just refused it. Null where only these are left, so
 * that somebody chooses.
 */
export function chooseRoute<R extends Pick<OrderDetail['routes'][number], 'to' | 'resting'>>(
  possible: readonly R[],
  order: Pick<Order, 'supplier'>,
): R['to'] | null {
  return possible.find(({ to, resting }) => !resting && !(wasRefused(order) && to === order.supplier?.name))?.to ?? null
}
