import { ReceiptText, RotateCcw, WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Receiver } from '../../../../shared/contacts.ts'
import type { Order } from '../../../../shared/orders.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import { historyTexts as texts } from '../../../texts/receipts.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Money, moneyText } from '../../../ui/money.tsx'
import { NetworkArt, networkClass } from '../../../ui/network-art.tsx'
import { LoadError, NoticeBox } from '../../../ui/notice-box.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { StatusPunches } from '../../../ui/punches.tsx'
import { useLastPage, useListState } from '../../../ui/use-list-state.ts'
import { useReceivers } from '../../catalogue/contacts/api.ts'
import { buyAgainPath } from '../../catalogue/contacts/buy-again-path.ts'
import { nameOfReceiver } from '../../catalogue/contacts/name-of-receiver.ts'
import { useMyOrders } from './api.ts'
import { deliveryNews } from './delivery-news.ts'
import { OrderReference } from './order-reference.tsx'
import { totalPaid } from './total-paid.ts'

/** Nine columns need more than a tablet held upright; there an order is a ticket. */
const WIDE_FROM = '(min-width: 64rem)'

/** My Transactions. */
export default function HistoryPage({ openPayments }: { openPayments: ReactNode }) {
  const list = useListState()
  const { rows, total, lastKnown, stale, error, retry } = useMyOrders(list.query)
  useLastPage(rows && !stale ? { rows, total } : undefined, list)
  const receivers = useReceivers()

  return (
    <>
      <PageHeader title={texts.title} unseen />
      <div className="h-4" />
      {openPayments}
      {error && !rows && <LoadError what={texts.what} error={error} onRetry={retry} />}
      {lastKnown && error && (
        <NoticeBox
          tone="pending"
          title={texts.lastKnown}
          className="mb-4"
          action={
            <Button variant="secondary" size="compact" onClick={retry}>
              {texts.tryAgain}
            </Button>
          }
        >
          {texts.lastKnownText}
        </NoticeBox>
      )}
      {!(error && !rows) && (
        <DataTable
          caption={texts.title}
          columns={columnsFor(receivers)}
          rows={rows}
          rowKey={(order) => order._id}
          total={total}
          state={list.table}
          onState={list.setTable}
          stale={stale || (lastKnown && !error)}
          searchLabel={texts.search}
          wideFrom={WIDE_FROM}
          bareCards
          dense
          card={(order) => <OrderRow order={order} name={nameOfReceiver(receivers, order)} />}
          empty={
            <EmptyState
              icon={lastKnown ? <WifiOff /> : <ReceiptText />}
              title={texts.empty}
              action={<ButtonLink href="/store">{texts.store}</ButtonLink>}
            >
              {texts.emptyText}
            </EmptyState>
          }
        />
      )}
    </>
  )
}

function columnsFor(receivers: readonly Receiver[]): Column<Order>[] {
  const { columns } = texts
  return [
    {
      key: 'id',
      header: columns.id,
      cell: ({ number }) => (
        <Link href={`/order/${number}`} title={texts.where} className={`${TABLE_LINK} tabular`}>
          {number}
        </Link>
      ),
    },
    {
      key: 'network',
      header: columns.network,
      cell: ({ network }) => (
        <span className="flex items-center gap-2 whitespace-nowrap">
          <NetworkArt network={network} size={32} />
          {network}
        </span>
      ),
    },
    {
      key: 'receiver',
      header: columns.receiver,
      cell: (order) => {
        const name = nameOfReceiver(receivers, order)
        return (
          <span className="block max-w-40">
            {name && <b className="block break-words">{name}</b>}
            <span className={classNames('tabular whitespace-nowrap', name && 'text-small text-muted')}>{order.receiver}</span>
          </span>
        )
      },
    },
    { key: 'offer', header: columns.offer, cell: ({ offer }) => <b className="block max-w-36 break-words">{offer}</b> },
    {
      key: 'amount',
      header: columns.amount,
      align: 'right',
      cell: (order) => (
        <span className="flex flex-col items-end">
          <Money cedis={order.totalAmount} />
          <PaidByCard order={order} />
        </span>
      ),
    },
    {
      key: 'reference',
      header: columns.reference,
      cell: (order) => (
        <span className="flex flex-col items-start">
          <OrderReference order={order} />
          <Link
            href={`/receipt/${order.number}`}
            className="inline-flex min-h-11 items-center text-small text-brand-text underline lg:min-h-9"
          >
            {texts.showReceipt}
          </Link>
        </span>
      ),
    },
    { key: 'date', header: columns.date, cell: ({ date }) => <span className="tabular block w-20 text-small">{date}</span> },
    { key: 'status', header: columns.status, cell: (order) => <OrderStatus order={order} /> },
    {
      key: 'again',
      header: texts.buyAgain,
      headerCell: <span className="sr-only">{texts.buyAgain}</span>,
      cell: (order) => (
        <Link
          href={buyAgainPath(order)}
          aria-label={texts.buyThisAgain(order.offer, nameOfReceiver(receivers, order) ?? order.receiver)}
          className="inline-flex min-h-11 items-center gap-1.5 font-semibold whitespace-nowrap text-brand-text hover:underline"
        >
          <RotateCcw className="size-4" aria-hidden="true" />
          {texts.again}
        </Link>
      ),
    },
  ]
}

const TABLE_LINK = 'inline-flex min-h-11 items-center text-brand-text underline underline-offset-4'

function PaidByCard({ order }: { order: Order }) {
  if (order.paidWith !== 'card') return null
  return <span className="tabular text-small whitespace-nowrap text-muted">{texts.paidByCard(moneyText(totalPaid(order)))}</span>
}

/** The status, and beneath it how the delivery goes while there is news of it. */
function OrderStatus({ order }: { order: Order }) {
  const { status, supplierStatus, verifying = false } = order
  const news = status === 'pending' && supplierStatus === 'Delivered' ? texts.closing : deliveryNews(order)
  const isSent = verifying || supplierStatus === 'Sent to network' || supplierStatus === 'Delivered'
  return (
    <span className="block">
      <StatusPunches status={status} sent={isSent} note={status === 'rejected' ? texts.refunded : undefined} />
      {news && <span className="block text-small text-muted">{news}</span>}
    </span>
  )
}

/** An order as a ticket on its side: its status and amount are seen first, and it can be bought again. */
function OrderRow({ order, name }: { order: Order; name: string | null }) {
  const { number, network, offer, receiver } = order
  const whom = name ?? spacedPhone(receiver)
  return (
    <div className={classNames('ticket ticket-row flex-wrap', networkClass(network))}>
      <NetworkArt network={network} className="w-11!" />
      <span className="flex min-w-0 grow basis-[7rem] flex-col">
        <Link href={`/order/${number}`} className="flex-1 px-2.5 pt-2.5">
          <OrderStatus order={order} />
          <span className="font-bold break-words">{texts.to(offer, whom)}</span>
          <span className="tabular block text-small text-muted">{name ? `${network} · ${spacedPhone(receiver)}` : network}</span>
          <span className="tabular block text-small text-muted">
            {order.date} · {number}
          </span>
          <PaidByCard order={order} />
        </Link>
        <OrderReference order={order} className="-mt-2 flex-wrap items-center gap-x-3 px-2.5 text-muted" />
      </span>
      <span aria-hidden="true" className="perf-down" />
      <span className="ml-auto flex shrink-0 flex-col items-end justify-between py-2.5 pl-2">
        <Money cedis={order.totalAmount} className="pr-3 text-large" />
        <Link
          href={buyAgainPath(order)}
          aria-label={texts.buyThisAgain(offer, whom)}
          className="-mb-2 flex min-h-11 min-w-16 items-center justify-end pr-3 font-semibold text-brand-text underline-offset-4 hover:underline"
        >
          {texts.again}
        </Link>
      </span>
    </div>
  )
}
