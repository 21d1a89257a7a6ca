import type { ReactNode } from 'react'
import type { Decision, Order } from '../../../../shared/orders.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import { offerVolumeMb } from '../../../../shared/products.ts'
import { capitalised } from '../../../lib/admin/words.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Detail, Details } from '../../../ui/details.tsx'
import { NetworkBadge } from '../../../ui/network-badge.tsx'
import { StatusBadge, toneOfStatus } from '../../../ui/status-badge.tsx'
import { PaidAmounts, PaidReferences } from '../paid-details.tsx'
import { OrderAmount, OrderReference } from './order-paid.tsx'
import { OrderSupplier } from './order-supplier.tsx'

/** The volume as operators' portals expect it: gigabytes without a unit. Null when the offer names none. */
export function volumeToCopy(offer: string): string | null {
  const megabytes = offerVolumeMb(offer)
  return megabytes === null ? null : String(megabytes / 1000)
}

export function CopyReceiver({ order }: { order: Order }) {
  return (
    <CopyButton
      text={order.receiver}
      label={`${spacedPhone(order.receiver)}, copy the number`}
      className="tabular font-semibold whitespace-nowrap"
    >
      {spacedPhone(order.receiver)}
    </CopyButton>
  )
}

export function CopyOffer({ order }: { order: Order }) {
  const volume = volumeToCopy(order.offer)
  if (volume === null) return <span>{order.offer}</span>
  return (
    <CopyButton text={volume} label={`${order.offer}, copy the volume`}>
      {order.offer}
    </CopyButton>
  )
}

export function OrderStatusMark({ order }: { order: Order }) {
  if (order.onHold) return <StatusBadge tone="danger">On hold</StatusBadge>
  return <StatusBadge tone={toneOfStatus(order.status)}>{capitalised(order.status)}</StatusBadge>
}

/** The same, with why it is on hold. */
export function OrderStatusBadge({ order }: { order: Order }) {
  if (order.onHold) {
    return (
      <span className="flex flex-col items-start gap-0.5 max-lg:items-end">
        <OrderStatusMark order={order} />
        <span className="max-w-36 text-small leading-tight text-muted max-lg:text-right">{capitalised(order.onHold)}</span>
      </span>
    )
  }
  return <OrderStatusMark order={order} />
}

type ActionProps = { order: Order; busy: boolean; onDecide: (order: Order, status: Decision) => void; block?: boolean }

/** Process and Reject while an order is pending; afterwards a disabled button with its status. */
export function OrderActions({ order, busy, onDecide, block = false }: ActionProps) {
  if (order.status !== 'pending') {
    return (
      <Button variant="secondary" size="compact" disabled block={block}>
        {capitalised(order.status)}
      </Button>
    )
  }
  return (
    <span className={block ? 'grid grid-cols-2 gap-2' : 'inline-flex gap-2'}>
      <Button size="compact" busy={busy} onClick={() => onDecide(order, 'completed')} title={`Process order ${order.id}`}>
        Process
      </Button>
      <Button
        variant="danger"
        size="compact"
        disabled={busy}
        onClick={() => onDecide(order, 'rejected')}
        title={`Reject order ${order.id}`}
      >
        Reject
      </Button>
    </span>
  )
}

/** An order on a phone: what it is worth and how it stands first, then what must be sent to whom. */
export function OrderCard({ order, busy, onDecide, select }: ActionProps & { select: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-center gap-2">
        {select}
        <OrderAmount order={order} className="mr-auto text-title" />
        <OrderStatusBadge order={order} />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <NetworkBadge network={order.network} />
        <CopyOffer order={order} />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 text-large">
        <CopyReceiver order={order} />
        <span className="min-w-0 truncate text-body text-muted">{order.agent}</span>
      </div>
      <OrderSupplier order={order} className="-my-1 min-h-11 self-start" />
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 text-small text-muted [&>dd]:text-right [&>dd]:break-all">
        <dt>ID</dt>
        <dd className="tabular">{order.id}</dd>
        <dt>Reference</dt>
        <dd>
          <OrderReference order={order} />
        </dd>
        <dt>Payment Date</dt>
        <dd className="tabular">{order.date}</dd>
        {order.actionTimestamp && (
          <>
            <dt>Action Timestamp</dt>
            <dd className="tabular">{order.actionTimestamp}</dd>
          </>
        )}
      </dl>
      <div className="pt-2">
        <OrderActions {...{ order, busy, onDecide }} block />
      </div>
    </div>
  )
}

/** What is being decided, under the question. */
export function OrderFacts({ order }: { order: Order }) {
  return (
    <Details>
      <Detail name="Network">{order.network}</Detail>
      <Detail name="Offer">{order.offer}</Detail>
      <Detail name="Receiver">{spacedPhone(order.receiver)}</Detail>
      <Detail name="Agent">{order.agent}</Detail>
      <PaidReferences order={order} />
      <PaidAmounts order={order} />
    </Details>
  )
}
