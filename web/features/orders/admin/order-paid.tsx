import type { Order } from '../../../../shared/orders.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Money, moneyText } from '../../../ui/money.tsx'
import { totalPaid } from '../paid.ts'

/** The price of an order, and beneath what its buyer's card was charged for it. */
export function OrderAmount({ order, className }: { order: Order; className?: string }) {
  return (
    <span className={classNames('inline-flex flex-col', className)}>
      <Money cedis={order.totalAmount} />
      {order.paidWith === 'card' && (
        <span className="tabular text-small font-normal whitespace-nowrap text-muted">{moneyText(totalPaid(order))} by card</span>
      )}
    </span>
  )
}

/** For a card order the payment's reference at the provider, with the order's own beneath. */
export function OrderReference({ order, className }: { order: Order; className?: string }) {
  if (!order.paymentReference) return <span className={className}>{order.reference}</span>
  return (
    <span className={className}>
      {order.paymentReference}
      <span className="block text-muted">order {order.reference}</span>
    </span>
  )
}
