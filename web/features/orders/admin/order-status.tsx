import type { Order } from '../../../../shared/orders.ts'
import { capitalised } from '../../../lib/admin/words.ts'
import { StatusBadge, toneOfStatus } from '../../../ui/status-badge.tsx'

/** How an order stands, with why it is on hold. */
export function OrderStatus({ order }: { order: Order }) {
  if (order.onHold) {
    return (
      <span className="flex flex-col items-start gap-0.5 max-lg:items-end">
        <OrderStatusMark order={order} />
        <span className="max-w-36 text-small leading-tight text-muted max-lg:text-right">{capitalised(order.onHold)}</span>
      </span>
    )
  }
  return <OrderStatusMark order={order} />
}

/** The same without the reason. */
export function OrderStatusMark({ order }: { order: Order }) {
  if (order.onHold) return <StatusBadge tone="danger">On hold</StatusBadge>
  return <StatusBadge tone={toneOfStatus(order.status)}>{capitalised(order.status)}</StatusBadge>
}
