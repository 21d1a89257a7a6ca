import type { ReactNode } from 'react'
import { formatShortTime } from '../../../../shared/dates.ts'
import type { ExpectedDelivery, OrderStatus, OrderStep } from '../../../../shared/orders.ts'
import { orderTexts as texts } from '../../../texts/orders.ts'
import { NetworkArt } from '../../../ui/network-art.tsx'
import { Offer, Ticket } from '../../../ui/ticket.tsx'
import { Timeline, type TimelineStep } from '../../../ui/timeline.tsx'

export type Shown = {
  network: string
  offer: string
  /** The receiver's number, spaced or masked, and the name that the customer gave it. */
  receiver: string
  name?: string | null
  status: OrderStatus
  steps: readonly OrderStep[]
  expected: ExpectedDelivery | null
  verifying?: true | undefined
  needsDetails?: true | undefined
  /** Where a checker's serial and PIN come to. On a link that anybody may have they are not told about. */
  pinComes?: 'here' | 'by-sms' | undefined
}

/** `refunded`: what the step is called whose money may still be on its way. */
type Props = { order: Shown; now: Date; paid?: string; price?: ReactNode; refunded?: string | undefined }

/** An order as a ticket: the bundle and its receiver, and behind the perforation what has happened to it. */
export function OrderTicket({ order, now, paid, price, refunded }: Props) {
  const { network, offer, receiver, name } = order
  return (
    <Ticket network={network} stub={<Timeline label={texts.label} steps={timelineOf(order, now, paid, refunded)} />}>
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0">
          <Offer name={offer} size="figure" />
          {name && <p className="mt-1 text-large font-bold break-words">{name}</p>}
          <p className="tabular text-muted">{receiver}</p>
        </div>
        <div className="flex max-w-1/2 shrink-0 flex-col items-end gap-2">
          <NetworkArt network={network} size={44} />
          <span className="text-small text-muted">{network}</span>
          {price}
        </div>
      </div>
    </Ticket>
  )
}

/** The longest that an order takes as a rule, where no deliveries have been timed. */
const USUAL_MS = 2 * 60 * 60 * 1000

/** The order's status in one sentence. */
export function headlineOf(
  { network, status, steps, expected, verifying, needsDetails, pinComes }: Shown,
  now: Date,
): { title: string; text: string } {
  const last = steps.at(-1)
  if (status === 'rejected') return texts.refunded
  if (network === 'WAEC Checkers' && status === 'completed') return pinComes === 'by-sms' ? texts.checkerSent : texts.checkerGiven
  if (network === 'AFA' && !needsDetails) return status === 'completed' ? texts.registered : texts.registering
  if (last?.step === 'delivered' && last.at !== null) {
    const text = status === 'pending' ? texts.closing(network) : texts.delivered.text(network)
    return { title: texts.delivered.title, text }
  }
  if (last?.step === 'resent') return texts.sentAgain
  if (status === 'completed' && last?.step === 'completed') return texts.completed
  if (needsDetails) return texts.needsDetails
  if (verifying) return { title: texts.verifying.title(network), text: texts.verifying.text }
  const paidAt = steps[0]?.at
  if (!expected && paidAt && now.getTime() - new Date(paidAt).getTime() > USUAL_MS)
    return { ...texts.late, text: texts.late.text(texts.mostTake) }
  if (!expected) return texts.onItsWay
  const usual = texts.mostArrive(network, expected.toMinutes)
  if (new Date(expected.by) < now) return { title: texts.late.title, text: texts.late.text(usual) }
  return { title: texts.expected(formatShortTime(new Date(expected.by), now)), text: usual }
}

export function timelineOf(
  { network, status, steps, expected, pinComes }: Shown,
  now: Date,
  paid?: string,
  refunded?: string,
): TimelineStep[] {
  return steps.map(({ step, at }) => {
    const time = at ? formatShortTime(new Date(at), now) : expected && texts.by(formatShortTime(new Date(expected.by), now))
    const state = at === null ? 'waiting' : step === 'refunded' && status === 'rejected' ? 'failed' : 'done'
    const detail = step === 'paid' ? paid : detailOf(step, at, network, pinComes)
    return { key: step, title: (step === 'refunded' && refunded) || texts.steps[step], detail, time: time ?? undefined, state }
  })
}

function detailOf(step: OrderStep['step'], at: string | null, network: string, pinComes: Shown['pinComes']): string | undefined {
  if (step === 'sent') return texts.networkHasIt(network)
  if (step === 'completed') return texts.shopSentIt
  if (step === 'resent') return texts.shopSentAgain
  if (step !== 'delivered' || at !== null) return undefined
  if (network !== 'WAEC Checkers' || !pinComes) return texts.weWillTell
  return pinComes === 'here' ? texts.pinHere : texts.pinBySms
}
