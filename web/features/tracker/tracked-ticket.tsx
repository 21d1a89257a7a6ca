import type { TrackedOrder } from '../../../shared/tracker.ts'
import { useNow } from '../../lib/use-now.ts'
import { orderTexts } from '../../texts/orders.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { StatusPunches } from '../../ui/punches.tsx'
import { headlineOf, OrderTicket } from '../orders/order-ticket.tsx'

/** An order as anyone with its link sees it. */
export function TrackedTicket({ order }: { order: TrackedOrder }) {
  const now = useNow()
  const { title, text } = headlineOf(order, now)
  const usual = order.expected && orderTexts.usual(order.expected.fromMinutes, order.expected.toMinutes)
  const isSent = order.steps.some(({ step }) => step === 'sent')
  return (
    <>
      <PageHeader
        title={title}
        kicker={[orderTexts.kicker(order.number), usual].filter(Boolean).join(' · ')}
        actions={
          <StatusPunches status={order.status} sent={isSent} note={order.status === 'rejected' ? orderTexts.note.refunded : undefined} />
        }
      >
        {text}
      </PageHeader>
      <OrderTicket order={order} now={now} />
    </>
  )
}
