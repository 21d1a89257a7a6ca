import type { Decision, Order } from '../../../../../shared/orders.ts'
import { hasRole } from '../../../../../shared/staff-rules.ts'
import { capitalised } from '../../../../lib/admin/words.ts'
import { session } from '../../../../lib/session.ts'
import { Button } from '../../../../ui/button.tsx'

export type OrderActionsProps = { order: Order; busy: boolean; onDecide: (order: Order, status: Decision) => void; block?: boolean }

/** Process and Reject while an order is pending, for who decides orders; otherwise a disabled button with its status. */
export function OrderActions({ order, busy, onDecide, block = false }: OrderActionsProps) {
  const mayDecide = hasRole(session.use() ?? {}, 'orders')
  if (order.status !== 'pending' || !mayDecide) {
    return (
      <Button variant="secondary" size="compact" disabled block={block}>
        {capitalised(order.status)}
      </Button>
    )
  }
  return (
    <span className={block ? 'grid grid-cols-2 gap-2' : 'inline-flex gap-2'}>
      <Button
        // Not in the brand's colour: that of wine looks like Reject.
        variant="secondary"
        size="compact"
        busy={busy}
        onClick={() => onDecide(order, 'completed')}
        title={`Process order ${order.id}`}
      >
        Process
      </Button>
      <Button
        variant="danger"
        size="compact"
        disabled={busy}
        onClick={() => onDecide(order, 'rejected')}
        title={`Reject order ${order.id}`}
      >
        Reject
      </Button>
    </span>
  )
}
