import type { Order } from '../../../shared/orders.ts'
import { paidTexts } from '../../texts/paid.ts'
import { Detail } from '../../ui/details.tsx'

/** The references that an order goes by; one paid by card has its payment's first, which the card provider knows. */
export function PaidReferences({ order }: { order: Order }) {
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
    </>
  )
}
