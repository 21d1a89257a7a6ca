import type { Order } from '../../../../../shared/orders.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { Detail, Details } from '../../../../ui/details.tsx'
import { PaidAmounts } from '../paid-amounts.tsx'
import { PaidReferences } from '../paid-references.tsx'

/** What is being decided, under the question. */
export function OrderFacts({ order }: { order: Order }) {
  return (
    <Details>
      <Detail name="Network">{order.network}</Detail>
      <Detail name="Offer">{order.offer}</Detail>
      <Detail name="Receiver">{spacedPhone(order.receiver)}</Detail>
      <Detail name="Agent">{order.agent}</Detail>
      <PaidReferences order={order} clientReferenceName="Client’s reference" />
      <PaidAmounts order={order} />
    </Details>
  )
}
