import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { OrderDetail } from '../../../../../shared/deliveries.ts'
import { CONSENTS, type Consent, type Order } from '../../../../../shared/orders.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import type { Route } from '../../../../../shared/settings.ts'
import { supplierName } from '../../../../../shared/supplier-names.ts'
import { Button } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { Field, SelectField, TextareaField } from '../../../../ui/field.tsx'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { PhoneField } from '../../../../ui/phone-field.tsx'
import { totalPaid } from '../total-paid.ts'
import { chooseRoute, wasRefused } from './choose-route.ts'
import { CONSENT_WORDS } from './order-events.tsx'
import { refundRead } from './refund-words.ts'

export type Act = 'send' | 'correct' | 'refund'

type Props = {
  detail: OrderDetail
  open: Act | null
  busy: boolean
  onOpen: (act: Act | null) => void
  onSend: (to: Route, lookedAtPortal: boolean) => void
  onCorrect: (change: { receiver: string; agreedBy: string; consent: Consent }) => void
  onRefund: (reason: string) => void
}

/** What can be done about one order, one at a time. What cannot be done says why. */
export function OrderActs({ detail, open, busy, onOpen, onSend, onCorrect, onRefund }: Props) {
  const { order, buyer } = detail
  const part = (act: Act, title: string, content: ReactNode) => (
    <section>
      <h2 className="text-body tracking-normal">
        <button
          type="button"
          aria-expanded={open === act}
          onClick={() => onOpen(open === act ? null : act)}
          className="flex min-h-13 w-full items-center justify-between gap-3 px-4 text-left font-semibold hover:bg-sunken"
        >
          {title}
          <ChevronDown className={classNames('size-5 text-muted transition-transform', open === act && 'rotate-180')} aria-hidden="true" />
        </button>
      </h2>
      {open === act && <div className="flex flex-col gap-3 px-4 pb-4">{content}</div>}
    </section>
  )
  return (
    <div className="divide-y divide-line overflow-hidden rounded-box border border-line bg-surface [--on:var(--surface)]">
      {part('send', 'Send again', <SendAgain detail={detail} busy={busy} onSend={onSend} />)}
      {part('correct', 'Correct number', <CorrectNumber detail={detail} busy={busy} onCorrect={onCorrect} />)}
      {part(
        'refund',
        `Refund ${moneyText(totalPaid(order))} with a reason`,
        <Refund order={order} buyer={buyer.username} busy={busy} onRefund={onRefund} />,
      )}
    </div>
  )
}

function WhyNot({ children }: { children: ReactNode }) {
  return <p className="rounded-box bg-sunken px-3 py-2 text-body">{children}</p>
}

function SendAgain({ detail, busy, onSend }: Pick<Props, 'detail' | 'busy' | 'onSend'>) {
  const { routes, sendAgain, order } = detail
  const byHand = !order.supplier || ['rejected', 'failed', 'cancelled'].includes(order.supplier.status)
  const possible = routes.filter(({ to }) =>
    to === 'by-hand' ? !byHand : order.supplier?.status !== 'waiting' || order.supplier.name !== to,
  )
  const [to, setTo] = useState<Route | null>(() => chooseRoute(possible, order))
  const [looked, setLooked] = useState(false)
  const name = order.supplier ? supplierName(order.supplier.name) : ''
  const sold = order.totalAmount
  const isLoss = ({ cost }: OrderDetail['routes'][number]) => typeof cost === 'number' && cost > sold
  const chosen = possible.find((route) => route.to === to)
  const loss = chosen && isLoss(chosen) ? Math.round(((chosen.cost ?? 0) - sold) * 100) / 100 : null
  if (!sendAgain.possible) return <WhyNot>{sendAgain.why}</WhyNot>
  if (possible.length === 0) return <WhyNot>It is yours to send by hand: no supplier carries {order.network} for this shop.</WhyNot>
  return (
    <>
      <fieldset aria-label="Where to">
        {possible.map((route) => (
          <label key={route.to} className={classNames('flex min-h-11 items-center gap-3', route.resting && 'text-muted')}>
            <input type="radio" name="to" checked={to === route.to} onChange={() => setTo(route.to)} className="size-5 accent-brand" />
            <span className="min-w-0 flex-1">
              {route.to === 'by-hand' ? `By hand, ${order.network} portal` : supplierName(route.to)}
              {wasRefused(order) && route.to === order.supplier?.name && (
                <span className="block text-small text-muted">It has just refused this order</span>
              )}
              {route.resting && <span className="block text-small">Resting: {route.reason}</span>}
            </span>
            {route.cost !== undefined &&
              (route.cost === null ? (
                <span className="text-small text-muted">no cost yet</span>
              ) : (
                <Money cedis={route.cost} className={isLoss(route) ? 'text-danger' : ''} />
              ))}
          </label>
        ))}
      </fieldset>
      {possible.some((route) => route.cost === null || isLoss(route)) && (
        <p className="text-small text-muted">
          By itself an order goes on only where its cost is set and covered, unless you allow a loss under Suppliers.
        </p>
      )}
      {loss !== null && (
        <p className="text-small font-medium text-danger">
          It was sold for {moneyText(sold)}: you lose {moneyText(loss)}.
        </p>
      )}
      {sendAgain.needsPortal && (
        <label className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            checked={looked}
            onChange={(event) => setLooked(event.currentTarget.checked)}
            className="size-5 shrink-0 accent-brand"
          />
          I looked on {name}’s portal: not there
        </label>
      )}
      <Button
        variant="secondary"
        busy={busy}
        disabled={to === null || (sendAgain.needsPortal && !looked)}
        onClick={() => to && onSend(to, looked)}
      >
        {to === 'by-hand'
          ? 'Take back to send by hand'
          : `${to ? `Send to ${supplierName(to)}` : 'Choose where to'}${loss === null ? '' : ' at a loss'}`}
      </Button>
    </>
  )
}

function CorrectNumber({ detail, busy, onCorrect }: Pick<Props, 'detail' | 'busy' | 'onCorrect'>) {
  const { order, correct, buyer } = detail
  const [receiver, setReceiver] = useState('')
  const [agreedBy, setAgreedBy] = useState(buyer.username)
  const [consent, setConsent] = useState<Consent | ''>('')
  if (!correct.possible) return <WhyNot>{correct.why}</WhyNot>
  const isComplete = /^0\d{9}$/.test(receiver) && receiver !== order.receiver && consent !== '' && agreedBy.trim().length >= 2
  return (
    <>
      <PhoneField label="Right number" value={receiver} onValue={setReceiver} hint={`It is ${spacedPhone(order.receiver)} now.`} />
      <Field label="Who agreed" value={agreedBy} maxLength={60} onChange={(event) => setAgreedBy(event.currentTarget.value)} />
      <SelectField
        label="How"
        value={consent}
        onChange={(event) => setConsent(event.currentTarget.value as Consent)}
        hint="The buyer sees this with the order."
      >
        <option value="">Choose how they agreed</option>
        {CONSENTS.map((one) => (
          <option key={one} value={one}>
            {CONSENT_WORDS[one]}
          </option>
        ))}
      </SelectField>
      <Button
        variant="secondary"
        busy={busy}
        disabled={!isComplete}
        onClick={() => consent !== '' && onCorrect({ receiver, agreedBy: agreedBy.trim(), consent })}
      >
        Correct number
      </Button>
    </>
  )
}

const OTHER = 'Other…'

/** The ready-made reasons, as the buyer reads them. */
function reasonsFor({ network, offer, receiver }: Order): Record<string, string> {
  const what = `${offer} to ${spacedPhone(receiver)}`
  return {
    'Network could not deliver': `${network} could not load ${what}.`,
    'Number barred': `${network} says that ${spacedPhone(receiver)} is barred, so we could not load ${offer}.`,
    'Wrong network': `${spacedPhone(receiver)} is not a ${network} number, so we could not load ${offer}.`,
  }
}

function Refund({ order, buyer, busy, onRefund }: { order: Order; buyer: string; busy: boolean; onRefund: (reason: string) => void }) {
  const reasons = reasonsFor(order)
  const [picked, setPicked] = useState(Object.keys(reasons)[0] as string)
  const [other, setOther] = useState('')
  if (order.status !== 'pending') return <WhyNot>That order is already {order.status}.</WhyNot>
  const reason = picked === OTHER ? other.trim() : (reasons[picked] ?? '')
  return (
    <>
      <fieldset aria-label="Reason" className="flex flex-wrap gap-2">
        {[...Object.keys(reasons), OTHER].map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === picked}
            onClick={() => setPicked(name)}
            className={classNames(
              'min-h-11 rounded-full border px-3 lg:min-h-9',
              name === picked ? 'border-brand bg-brand-soft font-bold text-brand-text' : 'border-line bg-surface font-medium',
            )}
          >
            {name}
          </button>
        ))}
      </fieldset>
      {picked === OTHER && (
        <TextareaField label="Reason" rows={2} maxLength={200} value={other} onChange={(event) => setOther(event.currentTarget.value)} />
      )}
      <p className="rounded-box bg-sunken px-3 py-2 text-body break-words">
        <span className="text-muted">{buyer} reads:</span> {reason || '…'} {refundRead(order)}
      </p>
      <Button variant="danger" block busy={busy} disabled={reason.length < 3} onClick={() => onRefund(reason)}>
        Refund {moneyText(totalPaid(order))}
      </Button>
    </>
  )
}
