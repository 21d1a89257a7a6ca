import { ReceiptText, WifiOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { Order } from '../../../shared/orders.ts'
import { spacedPhone } from '../../../shared/phones.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { type Column, DataTable, FIRST_PAGE } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { Money, moneyText } from '../../ui/money.tsx'
import { NetworkBadge } from '../../ui/network-badge.tsx'
import { LoadError, NoticeBox } from '../../ui/notice-box.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { StatusBadge, toneOfStatus } from '../../ui/status-badge.tsx'
import { useMyOrders } from './api.ts'
import { deliveryNews } from './delivery-news.ts'
import { paidReference, totalPaid } from './total-paid.ts'

const ReceiptDialog = lazyDialog(() => import('./receipt-dialog.tsx'))

/** Eight columns need more than a tablet held upright; there an order is a card. */
const WIDE_FROM = '(min-width: 64rem)'

/** My Transactions. */
export default function HistoryPage({ openPayments }: { openPayments: ReactNode }) {
  const [state, setState] = useState(FIRST_PAGE)
  const search = useDebounced(state.search)
  const { rows, total, lastKnown, stale, error, retry } = useMyOrders({ ...state, search })
  const [shown, setShown] = useState<Order | null>(null)

  const columns: Column<Order>[] = [
    { key: 'id', header: 'ID', cell: (order) => <OrderLink order={order} /> },
    { key: 'network', header: 'Network', cell: (order) => <NetworkBadge network={order.network} className="whitespace-nowrap" /> },
    { key: 'receiver', header: 'Receiver', cell: (order) => <span className="tabular whitespace-nowrap">{order.receiver}</span> },
    { key: 'offer', header: 'Offer', cell: (order) => order.offer },
    { key: 'amount', header: 'Amount', align: 'right', cell: (order) => <Amount order={order} /> },
    {
      key: 'reference',
      header: 'Reference',
      cell: (order) => (
        <button
          type="button"
          onClick={() => setShown(order)}
          title="Show the receipt"
          className="block min-h-8 max-w-40 text-left text-small text-brand-text"
        >
          <span className="block truncate underline underline-offset-4">{paidReference(order)}</span>
          {order.paymentReference && <span className="block truncate text-muted">order {order.reference}</span>}
        </button>
      ),
    },
    { key: 'date', header: 'Date', cell: (order) => <span className="tabular text-small whitespace-nowrap">{order.date}</span> },
    { key: 'status', header: 'Status', cell: (order) => <OrderStatus order={order} /> },
  ]

  return (
    <>
      <PageHeader title="My Transactions">What you bought, newest first.</PageHeader>
      {openPayments}
      {error && !rows && <LoadError what="Your transactions" error={error} onRetry={retry} />}
      {lastKnown && error && (
        <NoticeBox
          tone="pending"
          title="Last known orders"
          className="mb-4"
          action={
            <Button variant="secondary" size="compact" onClick={retry}>
              Try again
            </Button>
          }
        >
          We can’t reach the shop right now. This is how your orders stood on your last visit.
        </NoticeBox>
      )}
      {!(error && !rows) && (
        <DataTable
          caption="My Transactions"
          columns={columns}
          rows={rows}
          rowKey={(order) => order._id}
          total={total}
          state={state}
          onState={setState}
          stale={stale || (lastKnown && !error)}
          searchLabel="Search my transactions"
          wideFrom={WIDE_FROM}
          card={(order) => <OrderCard order={order} onShow={() => setShown(order)} />}
          empty={
            <EmptyState
              icon={lastKnown ? <WifiOff /> : <ReceiptText />}
              title="You haven't placed any order yet"
              action={<ButtonLink href="/store">Go to the store</ButtonLink>}
            >
              Every bundle you buy shows up here, with its reference and status.
            </EmptyState>
          }
        />
      )}
      {shown && <ReceiptDialog order={rows?.find((order) => order._id === shown._id) ?? shown} onClose={() => setShown(null)} />}
    </>
  )
}

function Amount({ order }: { order: Order }) {
  return (
    <span className="flex flex-col items-end">
      <Money cedis={order.totalAmount} />
      <PaidByCard order={order} />
    </span>
  )
}

function PaidByCard({ order }: { order: Order }) {
  if (order.paidWith !== 'card') return null
  return <span className="tabular text-small whitespace-nowrap text-muted">{moneyText(totalPaid(order))} paid by card</span>
}

/** The status, and beneath it how the delivery goes while there is news of it. */
function OrderStatus({ order }: { order: Order }) {
  const delivery = deliveryNews(order)
  return (
    <span className="flex flex-col items-end gap-0.5 text-right lg:items-start lg:text-left">
      <StatusBadge tone={toneOfStatus(order.status)}>{order.status}</StatusBadge>
      {delivery && <span className="text-small text-muted lg:pl-2">{delivery}</span>}
    </span>
  )
}

const LINK = 'flex min-h-11 items-center px-1 font-semibold text-brand-text underline underline-offset-4'

function OrderLink({ order }: { order: Order }) {
  return (
    <Link
      href={`/order/${order.number}`}
      title="Where is it?"
      className="tabular inline-flex min-h-8 items-center text-brand-text underline underline-offset-4"
    >
      {order.number}
    </Link>
  )
}

function OrderCard({ order, onShow }: { order: Order; onShow: () => void }) {
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center justify-between gap-3">
        <span>
          <Money cedis={order.totalAmount} className="block text-title" />
          <PaidByCard order={order} />
        </span>
        <OrderStatus order={order} />
      </div>
      <div className="flex items-center justify-between gap-3">
        <span className="flex min-w-0 items-center gap-2">
          <NetworkBadge network={order.network} />
          <span className="truncate text-muted">{order.offer}</span>
        </span>
        <span className="tabular shrink-0 font-medium">{spacedPhone(order.receiver)}</span>
      </div>
      <div className="flex items-end justify-between gap-3 border-t border-line pt-2 text-small text-muted">
        <span className="min-w-0">
          <span className="tabular block">
            {order.date} · ID {order.number}
          </span>
          <span className="block break-all">{paidReference(order)}</span>
          {order.paymentReference && <span className="block break-all">Order {order.reference}</span>}
        </span>
        <span className="-my-1 flex shrink-0 items-center gap-3">
          <Link href={`/order/${order.number}`} className={LINK}>
            {order.status === 'pending' ? 'Where is it?' : 'Details'}
          </Link>
          <button type="button" onClick={onShow} className={LINK}>
            Receipt
          </button>
        </span>
      </div>
    </div>
  )
}
