import type { Order } from '../../../../shared/orders.ts'
import { historyTexts as texts } from '../../../texts/receipts.ts'
import { classNames } from '../../../ui/class-names.ts'
import { ShortReference } from '../../../ui/short-reference.tsx'

type Props = {
  order: Pick<Order, 'reference' | 'paymentReference' | 'clientReference'>
  /** Whose reference the one is that a buyer's own program sent. */
  clientName?: string
  /** In the details of one order. */
  whole?: boolean
  className?: string
}

/** For a card order the payment's reference at the provider, with the order's own beneath; last the one that a buyer's own program sent. */
export function OrderReference({ order, clientName = texts.clientReference, whole, className = 'flex-col items-start' }: Props) {
  const { reference, paymentReference, clientReference } = order
  return (
    <span className={classNames('flex', className)}>
      <ShortReference reference={paymentReference ?? reference} whole={whole} />
      {paymentReference && <Further name={texts.orderReference} reference={reference} whole={whole} />}
      {clientReference && <Further name={clientName} reference={clientReference} whole={whole} />}
    </span>
  )
}

function Further({ name, reference, whole }: { name: string; reference: string; whole: boolean | undefined }) {
  return (
    <span className="flex items-center gap-1 text-small text-muted">
      {name} <ShortReference reference={reference} whole={whole} />
    </span>
  )
}
