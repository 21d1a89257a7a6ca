import { Copy } from 'lucide-react'
import { Link } from 'wouter'
import { bundleName } from '../../../../../shared/bundle-name.ts'
import type { Decision, Order } from '../../../../../shared/orders.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { waitingFor } from '../../../../lib/admin/waiting-for.ts'
import { capitalised } from '../../../../lib/admin/words.ts'
import { copyText } from '../../../../lib/copy-text.ts'
import { useNow } from '../../../../lib/use-now.ts'
import { Button } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { Money } from '../../../../ui/money.tsx'
import { networkClass } from '../../../../ui/network-art.tsx'
import { toast } from '../../../../ui/toast.ts'
import { OrderReference } from '../order-reference.tsx'
import { volumeToCopy } from './copy-offer.tsx'
import { OrderSupplier } from './order-supplier.tsx'

type Props = {
  order: Order
  busy: boolean
  /** While several are selected the cards have no acts of their own. */
  selecting: boolean
  selected: boolean
  onSelect: () => void
  onDecide: (order: Order, status: Decision) => void
}

/** An order in the hand: whom it is for and what it is worth first, at most 160 px tall (a line more with a client’s reference), 76 px while several are selected. */
export function OrderCard({ order, busy, selecting, selected, onSelect, onDecide }: Props) {
  const pending = order.status === 'pending'
  const now = useNow()
  return (
    <article
      aria-label={`Order ${order.id}`}
      className={classNames(
        'relative overflow-hidden rounded-box border py-2 pr-3 pl-4 before:absolute before:inset-y-0 before:left-0 before:w-1 before:bg-net',
        networkClass(order.network),
        selected ? 'border-brand bg-[color-mix(in_srgb,var(--brand-soft)_45%,var(--surface))]' : 'border-line bg-surface',
      )}
    >
      <div className="flex min-h-7 flex-wrap items-center gap-x-2.5">
        {selecting && pending && (
          <label className="-m-2.5 inline-flex size-11 shrink-0 cursor-pointer items-center justify-center">
            <span className="sr-only">Select order {order.id}</span>
            <input type="checkbox" checked={selected} onChange={onSelect} className="size-5.5 accent-brand" />
          </label>
        )}
        <Link
          href={`/admin/orders/${order.number}`}
          className="tabular text-title leading-[1.75rem] font-bold whitespace-nowrap"
          aria-label={`Open order ${order.id}, ${spacedPhone(order.receiver)}`}
        >
          {spacedPhone(order.receiver)}
        </Link>
        <Money cedis={order.totalAmount} className="ml-auto text-title leading-[1.75rem]" />
      </div>
      <div className="flex min-h-6 flex-wrap items-center gap-x-1.5 text-small text-muted">
        <b className="min-w-0 text-body font-semibold text-ink">{bundleName(order.network, order.offer)}</b>
        {selecting && <span className="min-w-0 truncate">· {order.agent}</span>}
        <span className="ml-auto">
          <OrderSupplier order={order} />
        </span>
      </div>
      {!selecting && (
        <div className="tabular text-small leading-[1.25rem] text-muted">
          <p className="flex flex-wrap gap-x-1.5">
            <span className="min-w-0 truncate">{order.agent}</span>
            {order.buyerPhone && !order.agent.includes(order.buyerPhone) && (
              <span className="whitespace-nowrap">· {spacedPhone(order.buyerPhone)}</span>
            )}
            <span className="ml-auto pl-1 whitespace-nowrap">
              {waitingFor(order.createdAt, new Date(now)).replace('less than a minute', 'now').replace(' minutes', ' min')}
            </span>
          </p>
          <p className="flex flex-wrap items-center gap-x-1.5">
            <span className="sr-only">Order </span>
            {order.id} ·{' '}
            <OrderReference order={order} clientName="client’s" className="flex-wrap items-center gap-x-1.5 [&_button]:-my-3" /> ·{' '}
            {order.date}
          </p>
        </div>
      )}
      {!selecting && (
        <div className="mt-1.5 flex flex-wrap gap-2">
          <Button
            variant="secondary"
            className="w-11 px-0!"
            aria-label={`Copy number and volume of order ${order.id}`}
            onClick={() => void copy(order)}
          >
            <Copy className="size-4.5" aria-hidden="true" />
          </Button>
          {pending ? (
            <>
              <Button
                className="flex-1"
                variant="danger"
                disabled={busy}
                onClick={() => onDecide(order, 'rejected')}
                title={`Reject order ${order.id}`}
              >
                Reject
              </Button>
              <Button
                variant="quiet"
                className="flex-[1.6] bg-brand-soft"
                busy={busy}
                onClick={() => onDecide(order, 'completed')}
                title={`Process order ${order.id}`}
              >
                Process
              </Button>
            </>
          ) : (
            <Button variant="secondary" disabled className="flex-1">
              {capitalised(order.status)}
            </Button>
          )}
        </div>
      )}
    </article>
  )
}

async function copy({ receiver, offer }: Order) {
  const text = `${receiver} ${volumeToCopy(offer) ?? offer}`
  if (await copyText(text)) toast.info(`Copied ${text}`)
  else toast.danger('We couldn’t copy. Your browser doesn’t allow it here.')
}
