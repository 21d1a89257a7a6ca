import type { Order } from '../../../../shared/orders.ts'
import { ShortReference } from '../../../ui/short-reference.tsx'

/** For a card order the payment's reference at the provider, with the order's own beneath; last the one that a buyer's own program sent. */
export function OrderReference({ order: { reference, paymentReference, clientReference } }: { order: Order }) {
  if (!paymentReference && !clientReference) return <ShortReference reference={reference} />
  return (
    <span className="flex flex-col items-start">
      <ShortReference reference={paymentReference ?? reference} />
      {paymentReference && <Further name="order" reference={reference} />}
      {clientReference && <Further name="client’s" reference={clientReference} />}
    </span>
  )
}

function Further({ name, reference }: { name: string; reference: string }) {
  return (
    <span className="flex items-center gap-1 text-small text-muted">
      {name} <ShortReference reference={reference} />
    </span>
  )
}
