import type { TrackedOrder } from '../../../shared/tracker.ts'
import { useNow } from '../../lib/use-now.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { StatusBadge, toneOfStatus } from '../../ui/status-badge.tsx'
import { headlineOf, OrderTicket } from '../orders/order-ticket.tsx'

/** An order as anyone with its link sees it. */
export function TrackedTicket({ order }: { order: TrackedOrder }) {
  const now = useNow()
  const { title, text } = headlineOf(order, now)
  return (
    <>
      <PageHeader title={title} actions={<StatusBadge tone={toneOfStatus(order.status)}>{order.status}</StatusBadge>}>
        Order {order.number}. {text}
      </PageHeader>
      <OrderTicket order={order} now={now} />
    </>
  )
}
