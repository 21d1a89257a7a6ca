import { toCedis, toPesewas } from '../../../shared/money.ts'
import type { Order } from '../../../shared/orders.ts'

type Paid = Pick<Order, 'totalAmount' | 'paidWith' | 'surcharge' | 'reference' | 'paymentReference'>

/** What the buyer paid for an order in all, in cedis: its price and its share of the card surcharge. */
export function totalPaid({ totalAmount, surcharge }: Pick<Paid, 'totalAmount' | 'surcharge'>): number {
  // An order that this browser remembers from before has no surcharge in it.
  return toCedis(toPesewas(totalAmount) + toPesewas(surcharge ?? 0))
}

/** What the card provider and support know an order by: its payment's reference, or its own where it was paid from the wallet. */
export function paidReference({ reference, paymentReference }: Pick<Paid, 'reference' | 'paymentReference'>): string {
  return paymentReference ?? reference
}
