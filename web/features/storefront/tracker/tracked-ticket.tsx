import type { TrackedOrder, TrackedRefund } from '../../../../shared/tracker.ts'
import { useNow } from '../../../lib/use-now.ts'
import { orderTexts, trackerTexts } from '../../../texts/orders.ts'
import { PageHeader } from '../../../ui/page-header.tsx'
import { StatusPunches } from '../../../ui/punches.tsx'
import { headlineOf, OrderTicket } from '../../orders/orders/order-ticket.tsx'

/** An order as anyone with its link sees it. */
export function TrackedTicket({ order }: { order: TrackedOrder }) {
  const now = useNow()
  const refund = order.guest?.refund
  const pinHere = order.guest && !order.guest.texts && order.network === 'WAEC Checkers' && order.status === 'completed'
  const shown = { ...order, pinComes: order.guest ? (order.guest.texts ? ('by-sms' as const) : ('here' as const)) : undefined }
  const headline = pinHere ? trackerTexts.checkerHere : headlineOf(shown, now)
  const title = refund ? trackerTexts.refundTitle : headline.title
  const text = refund
    ? trackerTexts.refund[refund.state === 'back' && refund.byHand ? 'by-hand' : refund.state](refund.to, order.guest?.tells)
    : headline.text
  const usual = order.expected && orderTexts.usual(order.expected.fromMinutes, order.expected.toMinutes)
  const isSent = order.steps.some(({ step }) => step === 'sent')
  return (
    <>
      <PageHeader
        title={title}
        kicker={[orderTexts.kicker(order.number), usual].filter(Boolean).join(' · ')}
        actions={
          <StatusPunches
            status={order.status}
            sent={isSent}
            note={order.status !== 'rejected' ? undefined : refund ? NOTES[refund.state] : orderTexts.note.refunded}
          />
        }
      >
        {text}
      </PageHeader>
      <OrderTicket order={shown} now={now} refunded={refund ? trackerTexts.stepRefunded : undefined} />
    </>
  )
}

const NOTES: Record<TrackedRefund['state'], string> = {
  owed: trackerTexts.refundNote,
  'on-its-way': trackerTexts.refundNote,
  back: orderTexts.note.refunded,
  code: trackerTexts.codeNote,
  'in-a-wallet': orderTexts.note.refunded,
}
