import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Customer } from '../../../../../shared/customers.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { Card } from '../../../../ui/admin/card.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Money } from '../../../../ui/money.tsx'
import { NetworkBadge } from '../../../../ui/network-badge.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { OrderStatus } from '../../../orders/orders/admin/order-status.tsx'
import { ordersQuery } from './api.ts'
import { momentWords } from './moment-words.ts'

const FIRST = 5

/** The newest orders, with today's number and sum. */
export function OrdersCard({ customer }: { customer: Customer }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(ordersQuery(customer._id))
  const orders = data?.pages.flatMap((page) => page.orders) ?? []
  const { today } = customer
  return (
    <Card
      title="Orders"
      state={
        <p className="tabular text-small text-muted">
          Today {today.orders} · <Money cedis={today.amount} />
        </p>
      }
    >
      {error && !data && <LoadError what="The orders" error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <Loading label="Loading the orders">
          <Skeleton className="h-56" />
        </Loading>
      )}
      {data && orders.length === 0 && <p className="px-4 py-6 text-center text-body text-muted">No orders yet.</p>}
      <ul className="divide-y divide-line" style={{ maxHeight: orders.length > FIRST ? '24rem' : undefined, overflowY: 'auto' }}>
        {orders.map((order) => (
          <li key={order._id}>
            <Link href={`/admin/orders/${order._id}`} className="flex min-h-14 items-center gap-3 px-4 py-2 hover:bg-sunken">
              <NetworkBadge network={order.network} hideName />
              <span className="min-w-0 flex-1">
                <span className="tabular block font-semibold whitespace-nowrap">{spacedPhone(order.receiver)}</span>
                <span className="tabular block text-small break-words text-muted">
                  {order.offer} · {momentWords(order.createdAt)}
                </span>
              </span>
              <OrderStatus order={order} />
            </Link>
          </li>
        ))}
        {hasNextPage && (
          <li className="p-2">
            <Button variant="quiet" block busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              Show older
            </Button>
          </li>
        )}
      </ul>
    </Card>
  )
}
