import type { Order } from '../../../../shared/orders.ts'
import { paidTexts } from '../../../texts/paid.ts'
import { Detail } from '../../../ui/details.tsx'
import { Money } from '../../../ui/money.tsx'
import { totalPaid } from './total-paid.ts'

/** An order's amount, and by card what was paid on top and in all; lines for a `Details`. */
export function PaidAmounts({ order }: { order: Order }) {
  if (order.paidWith === 'wallet') {
    return (
      <Detail name={paidTexts.amount} strong>
        <Money cedis={order.totalAmount} />
      </Detail>
    )
  }
  return (
    <>
      <Detail name={paidTexts.price}>
        <Money cedis={order.totalAmount} />
      </Detail>
      <Detail name={paidTexts.surcharge}>
        <Money cedis={order.surcharge ?? 0} />
      </Detail>
      <Detail name={paidTexts.total} strong>
        <Money cedis={totalPaid(order)} />
      </Detail>
    </>
  )
}
