import type { ReactNode } from 'react'
import { NetworkBadge } from '../../../ui/network-badge.tsx'
import { CopyOffer } from './copy-offer.tsx'
import { CopyReceiver } from './copy-receiver.tsx'
import { OrderActions, type OrderActionsProps } from './order-actions.tsx'
import { OrderAmount } from './order-amount.tsx'
import { OrderReference } from './order-reference.tsx'
import { OrderStatus } from './order-status.tsx'
import { OrderSupplier } from './order-supplier.tsx'

/** An order on a phone: what it is worth and how it stands first, then what must be sent to whom. */
export function OrderCard({ order, busy, onDecide, select }: OrderActionsProps & { select: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-center gap-2">
        {select}
        <OrderAmount order={order} className="mr-auto text-title" />
        <OrderStatus order={order} />
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
