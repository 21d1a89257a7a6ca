import { toCedis, toPesewas } from '../../../../shared/money.ts'
import type { Order } from '../../../../shared/orders.ts'

/** What the buyer paid for an order in all, in cedis: its price and its share of the card surcharge. */
export function totalPaid({ totalAmount, surcharge }: Pick<Order, 'totalAmount' | 'surcharge'>): number {
  // An order that this browser remembers from before has no surcharge in it.
  return toCedis(toPesewas(totalAmount) + toPesewas(surcharge ?? 0))
}
