import type { Order } from '../../../../shared/orders.ts'

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
