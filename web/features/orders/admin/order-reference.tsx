import type { Order } from '../../../../shared/orders.ts'
import { ShortReference } from '../../../ui/short-reference.tsx'

/** For a card order the payment's reference at the provider, with the order's own beneath. */
export function OrderReference({ order: { reference, paymentReference } }: { order: Order }) {
  if (!paymentReference) return <ShortReference reference={reference} />
  return (
    <span className="flex flex-col items-start">
      <ShortReference reference={paymentReference} />
      <span className="flex items-center gap-1 text-small text-muted">
        order <ShortReference reference={reference} />
      </span>
    </span>
  )
}
