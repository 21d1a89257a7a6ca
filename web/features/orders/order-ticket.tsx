import type { ReactNode } from 'react'
import { formatShortTime } from '../../../shared/dates.ts'
import type { ExpectedDelivery, OrderStatus, OrderStep } from '../../../shared/orders.ts'
import { NetworkBadge } from '../../ui/network-badge.tsx'
import { Ticket } from '../../ui/ticket.tsx'
import { Timeline, type TimelineStep } from '../../ui/timeline.tsx'

export type Shown = {
  network: string
  offer: string
  receiver: string
  status: OrderStatus
  steps: readonly OrderStep[]
  expected: ExpectedDelivery | null
}

/** An order as a ticket: the bundle and its receiver, and behind the perforation what has happened to it. */
export function OrderTicket({ order, now, paid, price }: { order: Shown; now: Date; paid?: string; price?: ReactNode }) {
  return (
    <Ticket network={order.network} stub={<Timeline label="What has happened" steps={timelineOf(order, now, paid)} />}>
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <p className="text-hero font-bold break-words">{order.offer}</p>
          <p className="tabular text-body text-muted">{order.receiver}</p>
        </div>
        <div className="flex shrink-0 flex-col items-end gap-2">
          <NetworkBadge network={order.network} />
          {price}
        </div>
      </div>
    </Ticket>
  )
}

/** The order's status in one sentence. */
export function headlineOf({ network, status, steps, expected }: Shown, now: Date): { title: string; text: string } {
  const last = steps.at(-1)
  if (status === 'rejected') return { title: 'Refunded', text: 'We could not deliver this order, so the buyer has the money back.' }
  if (last?.step === 'delivered' && last.at !== null) return { title: 'Delivered', text: `${network} says that the data is there.` }
  if (status === 'completed') return { title: 'Completed', text: 'The shop has sent it. It may take a few minutes to show on the phone.' }
  if (!expected) return { title: 'On its way', text: 'Usually 5 minutes to 2 hours.' }
  const usual = `Most ${network} orders arrive within ${minutes(expected.toMinutes)}.`
  if (new Date(expected.by) < now) return { title: 'Taking longer than usual', text: `${usual} This one is still on its way.` }
  return { title: `Expect it by ${formatShortTime(new Date(expected.by), now)}`, text: usual }
}

function timelineOf({ network, status, steps, expected }: Shown, now: Date, paid: string | undefined): TimelineStep[] {
  return steps.map(({ step, at }) => {
    const time = at ? formatShortTime(new Date(at), now) : expected && `by ${formatShortTime(new Date(expected.by), now)}`
    const state = at === null ? 'waiting' : step === 'refunded' && status === 'rejected' ? 'failed' : 'done'
    return { key: step, title: TITLES[step], detail: step === 'paid' ? paid : DETAILS[step]?.(network), time: time ?? undefined, state }
  })
}

const TITLES: Record<OrderStep['step'], string> = {
  paid: 'Paid',
  sent: 'Sent',
  delivered: 'Delivered',
  completed: 'Completed',
  resent: 'Sent again',
  refunded: 'Refunded',
}

const DETAILS: Partial<Record<OrderStep['step'], (network: string) => string>> = {
  sent: (network) => `${network} has the order`,
  completed: () => 'The shop has sent it',
}

function minutes(count: number): string {
  return count === 1 ? 'a minute' : `${count} minutes`
}
