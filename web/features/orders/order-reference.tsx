import type { Order } from '../../../shared/orders.ts'
import { historyTexts as texts } from '../../texts/receipts.ts'
import { classNames } from '../../ui/class-names.ts'
import { ShortReference } from '../../ui/short-reference.tsx'

type Props = {
  order: Pick<Order, 'reference' | 'paymentReference' | 'clientReference'>
  /** Whose reference the one is that a buyer's own program sent. */
  clientName?: string
  className?: string
}

/** For a card order the payment's reference at the provider, with the order's own beneath; last the one that a buyer's own program sent. */
export function OrderReference({ order, clientName = texts.clientReference, className = 'flex-col items-start' }: Props) {
  const { reference, paymentReference, clientReference } = order
  return (
    <span className={classNames('flex', className)}>
      <ShortReference reference={paymentReference ?? reference} />
      {paymentReference && <Further name={texts.orderReference} reference={reference} />}
      {clientReference && <Further name={clientName} reference={clientReference} />}
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
