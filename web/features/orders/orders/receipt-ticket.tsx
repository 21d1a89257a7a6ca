import { Check, X } from 'lucide-react'
import type { Ref } from 'react'
import { formatShortTime } from '../../../../shared/dates.ts'
import type { Order, OrderProgress } from '../../../../shared/orders.ts'
import { maskPhone } from '../../../../shared/phones.ts'
import { orderTexts } from '../../../texts/orders.ts'
import { receiptTexts as texts } from '../../../texts/receipts.ts'
import { classNames } from '../../../ui/class-names.ts'
import { NetworkGlyph, networkClass } from '../../../ui/network-art.tsx'
import { SignMark } from '../../../ui/sign-mark.tsx'
import { Offer } from '../../../ui/ticket.tsx'

/** What a receipt shows. `name` is the customer's own for the receiver; `link` is without its protocol. */
export type ShownReceipt = {
  order: Order
  progress: OrderProgress
  name: string | null
  price: string | null
  shopName: string
  link: string
}

/** The big ticket: the bundle, for whom, and when it was paid, sent and delivered. */
export function ReceiptTicket({ ref, order, progress, name, price, shopName, link }: ShownReceipt & { ref: Ref<HTMLDivElement> }) {
  const number = maskPhone(order.receiver)
  return (
    <div ref={ref} className={classNames('ticket mx-auto w-full max-w-104', networkClass(order.network))}>
      <div className="art h-28 grid-cols-[1fr_auto] px-4 text-title font-bold">
        <span className="self-start justify-self-start pt-3">{order.network}</span>
        <NetworkGlyph network={order.network} className="w-22" />
      </div>
      <div className="flex flex-col gap-4 p-4">
        <div>
          <Offer name={order.offer} size="poster" />
          <p className="mt-2 text-large break-words">
            {texts.for} {name && <b>{name}, </b>}
            <span className="tabular whitespace-nowrap">{number}</span>
          </p>
          {price && <p className="tabular text-title font-bold">{price}</p>}
        </div>
        <ol aria-label={orderTexts.label} className="flex flex-wrap gap-y-3 text-center text-small">
          {stepsOf(progress, order.date).map(({ step, title, time, state }) => (
            <li key={step} className="min-w-min flex-1 basis-0">
              <span
                aria-hidden="true"
                className={classNames(
                  'mx-auto mb-1 grid size-7 place-items-center rounded-full',
                  state === 'done' && 'bg-field text-[#f7f4e8]',
                  state === 'failed' && 'bg-danger text-white',
                  state === 'waiting' && 'border-2 border-dashed border-pending',
                )}
              >
                {state === 'done' && <Check className="size-4.5" />}
                {state === 'failed' && <X className="size-4.5" />}
              </span>
              <b className="block text-body">{title}</b>
              <span className="tabular text-muted">{time}</span>
            </li>
          ))}
        </ol>
      </div>
      <div className="perf" aria-hidden="true" />
      <div className="flex flex-wrap items-center justify-between gap-3 p-4">
        <span className="flex min-w-0 flex-1 basis-44 items-center gap-2.5">
          <SignMark className="size-8 shrink-0" />
          <span className="min-w-0">
            <b className="block">{shopName}</b>
            <span className="block text-small break-all text-muted">{link}</span>
          </span>
        </span>
        <span className="tabular text-right text-small whitespace-nowrap text-muted">
          {order.date.slice(0, 10)}
          <br />
          {texts.number(order.number)}
        </span>
      </div>
    </div>
  )
}

export type ReceiptStep = { step: string; title: string; time: string; state: 'done' | 'failed' | 'waiting' }

/** The steps with their times; those of another day than the purchase say which. */
export function stepsOf({ steps, expected }: OrderProgress, bought: string): ReceiptStep[] {
  const [day = '', month = '', year = ''] = bought.slice(0, 10).split('/')
  const boughtOn = new Date(`${year}-${month}-${day}T00:00:00Z`)
  return steps.map(({ step, at }) => {
    const due = at ?? expected?.by
    const time = due ? formatShortTime(new Date(due), boughtOn) : ''
    return {
      step,
      title: orderTexts.steps[step],
      time: at === null && time ? orderTexts.by(time) : time,
      state: at === null ? 'waiting' : step === 'refunded' ? 'failed' : 'done',
    }
  })
}
