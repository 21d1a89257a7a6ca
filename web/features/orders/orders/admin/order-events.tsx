import type { OrderDetail, OrderEvent } from '../../../../../shared/deliveries.ts'
import type { Consent } from '../../../../../shared/orders.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { supplierName } from '../../../../../shared/supplier-names.ts'
import { clockTime } from '../../../../lib/admin/clock-time.ts'
import { classNames } from '../../../../ui/class-names.ts'
import { moneyText } from '../../../../ui/money.tsx'
import { totalPaid } from '../total-paid.ts'

type Told = { at: string; title: string; detail: string | undefined; tone: 'done' | 'pending' | 'danger' | 'plain' }

export const CONSENT_WORDS: Record<Consent, string> = {
  whatsapp: 'by WhatsApp',
  call: 'on the phone',
  sms: 'by SMS',
  'in-person': 'in person',
}

/** What happened to an order, in the order in which it did. The same answer again is told once. */
export function OrderEvents({ detail }: { detail: OrderDetail }) {
  return (
    <ol className="px-4 py-4">
      {tell(detail).map(({ at, title, detail: more, tone }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: events are only ever added at the end.
        <li key={index} className="group relative grid grid-cols-[4.25rem_minmax(0,1fr)] gap-x-6 pb-4 last:pb-0">
          <span aria-hidden="true" className="absolute top-3.5 -bottom-1.5 left-[4.92rem] w-[1.5px] bg-line group-last:hidden" />
          <span
            aria-hidden="true"
            className={classNames(
              'absolute top-1.5 left-[4.65rem] size-2.5 rounded-full border-2',
              tone === 'done' && 'border-done bg-done',
              tone === 'pending' && 'border-pending bg-pending',
              tone === 'danger' && 'border-danger bg-danger',
              tone === 'plain' && 'border-line-strong bg-surface',
            )}
          />
          <time
            dateTime={at}
            title={`${at.slice(0, 10)} ${at.slice(11, 19)} UTC`}
            className="tabular text-right text-small leading-[1.5rem] text-muted"
          >
            {clockTime(at)}
          </time>
          <div className="min-w-0 leading-[1.5rem]">
            <b className="font-semibold">{title}</b>
            {more && <p className="text-small break-words text-muted">{more}</p>}
          </div>
        </li>
      ))}
    </ol>
  )
}

function tell({ order, events, buyer }: OrderDetail): Told[] {
  const told: Told[] = []
  for (const event of events) {
    const { title, detail, tone } = sentence(event, {
      paid: moneyText(totalPaid(order)),
      byCard: order.paidWith === 'card',
      agent: buyer.username,
    })
    const before = told.at(-1)
    if (event.kind === 'asked' && before?.title === title) {
      before.detail = before.detail ? `${before.detail}, ${clockTime(event.at)}` : `Asked again at ${clockTime(event.at)}`
      continue
    }
    told.push({ at: event.at, title, detail, tone })
  }
  return told
}

type Facts = { paid: string; byCard: boolean; agent: string }

function sentence(event: OrderEvent, { paid, byCard, agent }: Facts): Omit<Told, 'at' | 'detail'> & { detail?: string | undefined } {
  const name = event.supplier ? supplierName(event.supplier) : ''
  const { detail, reference, by } = event
  switch (event.kind) {
    case 'paid':
      return { title: `Paid ${byCard ? 'by card' : 'from wallet'} ${paid}`, detail: agent, tone: 'done' }
    case 'sent':
      return { title: `Sent to ${name}`, detail: reference && `Reference ${reference}`, tone: 'done' }
    case 'accepted':
      return { title: `${name} took it`, tone: 'done' }
    case 'not-taken':
      return { title: `${name} did not take it`, detail, tone: 'pending' }
    case 'unknown':
      return { title: `${name} did not answer`, detail, tone: 'pending' }
    case 'asked':
      return { title: `Asked: “${detail}”`, tone: 'pending' }
    case 'rejected':
      return { title: `${name} refused it`, detail, tone: 'danger' }
    case 'failed':
      return { title: `${name} could not deliver it`, detail, tone: 'danger' }
    case 'delivered':
      return { title: `${name} delivered it`, tone: 'done' }
    case 'delivered-after-all':
      return { title: `${name} delivered it after all`, detail: `Under ${reference}. It may arrive twice.`, tone: 'danger' }
    case 'restarted':
      if (!by) return { title: `Goes on to ${supplierName(event.to ?? '')}`, detail, tone: 'plain' }
      return {
        title: event.to ? `Sent again, to ${supplierName(event.to)}` : 'Taken back to be sent by hand',
        detail: by && `By ${by}`,
        tone: 'plain',
      }
    case 'corrected':
      return {
        title: `Number corrected to ${spacedPhone(event.correction?.to ?? '')}`,
        detail:
          event.correction &&
          `It was ${spacedPhone(event.correction.from)}. ${event.correction.agreedBy} agreed ${CONSENT_WORDS[event.correction.consent]}; by ${by}`,
        tone: 'plain',
      }
    case 'batched':
      return { title: `Batch ${event.batch}`, detail: `Locked by ${by}`, tone: 'plain' }
    case 'released':
      return { title: `Released from Batch ${event.batch}`, detail: by && `By ${by}`, tone: 'plain' }
    case 'reported':
      return { title: 'The buyer says that it hasn’t arrived', tone: 'pending' }
    case 'completed':
      return { title: 'Completed', detail: by ? `By ${by}` : 'By the shop', tone: 'done' }
    case 'refunded':
      return { title: `Refunded ${paid}`, detail: [detail, by && `By ${by}`].filter(Boolean).join(' '), tone: 'danger' }
  }
}
