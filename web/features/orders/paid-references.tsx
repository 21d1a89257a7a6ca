import type { Order } from '../../../shared/orders.ts'
import { Detail } from '../../ui/details.tsx'

/** The references that an order goes by; one paid by card has its payment's first, which the card provider knows. */
export function PaidReferences({ order }: { order: Order }) {
  return (
    <>
      {order.paymentReference && (
        <Detail name="Payment reference">
          <span className="text-small break-all">{order.paymentReference}</span>
        </Detail>
      )}
      <Detail name={order.paymentReference ? 'Order reference' : 'Reference'}>
        <span className="text-small break-all">{order.reference}</span>
      </Detail>
    </>
  )
}
