import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { Link } from 'wouter'
import type { Decision, Order } from '../../../../../shared/orders.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { shortWait } from '../../../../lib/admin/clock-words.ts'
import { reasonWords, standingOf } from '../../../../lib/admin/supplier-words.ts'
import { Card, StateChip } from '../../../../ui/admin/card.tsx'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { Money } from '../../../../ui/money.tsx'
import { networkClass } from '../../../../ui/network-art.tsx'
import { NetworkBadge } from '../../../../ui/network-badge.tsx'
import { Skeleton } from '../../../../ui/skeleton.tsx'
import { orderDetailQuery } from '../../../orders/orders/admin/api.ts'
import { OrderEvents } from '../../../orders/orders/admin/order-events.tsx'
import type { InboxRow } from './inbox-rows.tsx'

type Props = {
  row: InboxRow
  now: Date
  busy: string | null
  onAct: (row: InboxRow) => void
  onDecide: (order: Order, status: Decision) => void
}

/** Beside the list at a laptop: the selected row in full, with everything that can be done about it. */
export function InboxDetails({ row, now, busy, onAct, onDecide }: Props) {
  if (row.order) return <OrderDetails {...{ row, now, busy, onAct, onDecide }} order={row.order} />
  return (
    // Of a low stock the title says how much is left.
    <Card title={row.title} state={row.group.kind !== 'checkers-low' && <StateChip tone={row.tone}>{row.group.count}</StateChip>}>
      {row.group.orders.length > 0 ? (
        <OrderList {...{ row, now, busy, onDecide }} />
      ) : (
        <p className="px-4 py-3 text-muted">{row.subtitle}</p>
      )}
      <div className="border-t border-line p-4">
        <Button
          block
          busy={busy === row.key}
          onClick={() => onAct(row)}
          stub={row.amount !== null && row.act !== 'open' && <Money cedis={row.amount} />}
        >
          {row.label}
        </Button>
      </div>
    </Card>
  )
}

function OrderDetails({ row, order, busy, onAct, onDecide }: Props & { order: Order }) {
  const { data } = useQuery(orderDetailQuery(order.number))
  const standing = order.supplier && standingOf(order.supplier)
  const leads = row.act === 'process'
  return (
    <section
      aria-label={`Order ${order.number}`}
      className={classNames(
        'relative overflow-hidden rounded-box border border-line bg-surface [--on:var(--surface)]',
        networkClass(order.network),
      )}
    >
      <span aria-hidden="true" className="absolute inset-y-0 left-0 w-1 bg-net" />
      <header className="flex items-start justify-between gap-3 border-b border-line px-5 py-4">
        <div className="min-w-0">
          <p className="tabular text-small text-muted">
            Order {order.number} · {order.network} {order.offer}
          </p>
          <p className="tabular text-display font-bold whitespace-nowrap">{spacedPhone(order.receiver)}</p>
        </div>
        <div className="shrink-0 text-right text-title">
          <Money cedis={order.totalAmount} />
          <span className="mt-1 block">
            <StateChip tone={row.tone} icon={row.icon}>
              {standing?.word ?? 'Pending'}
            </StateChip>
          </span>
        </div>
      </header>
      <div className="border-b border-line">
        {data ? (
          <OrderEvents detail={data} />
        ) : (
          <div className="p-5">
            <Skeleton className="h-28" />
          </div>
        )}
      </div>
      <div className="flex flex-col gap-3 px-5 py-4">
        <p className="text-body">
          For <b className="font-semibold">{order.agent}</b>
        </p>
        {standing && <p className="text-body">{standing.meaning}</p>}
        {order.supplier?.detail && (
          <p className="rounded-box bg-sunken px-3 py-2 text-small break-words">
            {order.supplier.status === 'cancelled' ? reasonWords(order.supplier.detail) : `“${order.supplier.detail}”`}
          </p>
        )}
        {order.onHold && <p className="rounded-box bg-danger-soft px-3 py-2 text-small text-danger">{order.onHold}</p>}
      </div>
      <div className="flex flex-col gap-2 border-t border-line px-5 py-4">
        {leads ? (
          <Button block busy={busy === order._id} onClick={() => onAct(row)} stub={<Money cedis={order.totalAmount} />}>
            Process
          </Button>
        ) : (
          <ButtonLink block href={row.href}>
            Open order
          </ButtonLink>
        )}
        <div className="grid grid-cols-2 gap-2">
          {leads ? (
            <ButtonLink href={row.href} variant="secondary">
              Open order
            </ButtonLink>
          ) : (
            <Button variant="secondary" disabled={busy === order._id} onClick={() => onDecide(order, 'completed')}>
              Complete
            </Button>
          )}
          <Button variant="danger" disabled={busy === order._id} onClick={() => onDecide(order, 'rejected')}>
            Reject
          </Button>
        </div>
      </div>
    </section>
  )
}

function OrderList({ row, now, busy, onDecide }: Omit<Props, 'onAct'>) {
  return (
    <ul className="max-h-[calc(100dvh-22rem)] divide-y divide-line overflow-y-auto">
      {row.group.orders.map((order) => (
        <li key={order._id} className="flex items-center gap-3 py-2 pr-3 pl-4">
          <NetworkBadge network={order.network} hideName />
          <Link href={`/admin/orders/${order.number}`} className="min-w-0 flex-1 hover:underline">
            <span className="tabular block font-semibold">{spacedPhone(order.receiver)}</span>
            <span className="tabular block text-small break-words text-muted">
              {order.offer} · {order.agent} · {shortWait(order.createdAt, now)}
            </span>
          </Link>
          <Money cedis={order.totalAmount} />
          {row.group.kind === 'by-hand' && (
            <Button variant="secondary" size="compact" busy={busy === order._id} onClick={() => onDecide(order, 'completed')}>
              Process
            </Button>
          )}
        </li>
      ))}
      {row.group.count > row.group.orders.length && (
        <li className="px-4 py-2 text-small">
          <Link href={row.href} className="inline-flex items-center font-semibold text-brand-text">
            {row.group.count - row.group.orders.length} more <ChevronRight className="size-4" aria-hidden="true" />
          </Link>
        </li>
      )}
    </ul>
  )
}
