import { CARD_SURCHARGE_PERCENT } from '../../../shared/money.ts'
import type { Order } from '../../../shared/orders.ts'
import { Detail } from '../../ui/details.tsx'
import { Money } from '../../ui/money.tsx'
import { totalPaid } from './total-paid.ts'

/** An order's amount, and by card what was paid on top and in all; lines for a `Details`. */
export function PaidAmounts({ order }: { order: Order }) {
  if (order.paidWith === 'wallet') {
    return (
      <Detail name="Amount" strong>
        <Money cedis={order.totalAmount} />
      </Detail>
    )
  }
  return (
    <>
      <Detail name="Price">
        <Money cedis={order.totalAmount} />
      </Detail>
      <Detail name={`Card surcharge (${CARD_SURCHARGE_PERCENT}%)`}>
        <Money cedis={order.surcharge ?? 0} />
      </Detail>
      <Detail name="Total paid" strong>
        <Money cedis={totalPaid(order)} />
      </Detail>
    </>
  )
}
