import type { Order } from '../../../../shared/orders.ts'
import { paidTexts } from '../../../texts/paid.ts'
import { Detail } from '../../../ui/details.tsx'

type Props = { order: Order; clientReferenceName?: string }

/**
 * The references that an order goes by; one paid by card has its payment's first, which the card provider knows, and one that another
 * program placed has that program's last.
 */
export function PaidReferences({ order, clientReferenceName = paidTexts.clientReference }: Props) {
  return (
    <>
      {order.paymentReference && (
        <Detail name={paidTexts.paymentReference}>
          <span className="text-small break-all">{order.paymentReference}</span>
        </Detail>
      )}
      <Detail name={order.paymentReference ? paidTexts.orderReference : paidTexts.reference}>
        <span className="text-small break-all">{order.reference}</span>
      </Detail>
      {order.clientReference && (
        <Detail name={clientReferenceName}>
          <span className="text-small break-all">{order.clientReference}</span>
        </Detail>
      )}
    </>
  )
}
