import { useQuery } from '@tanstack/react-query'
import { MessageCircle, PackageX, ReceiptText, Share2 } from 'lucide-react'
import { useState } from 'react'
import { spacedPhone } from '../../../shared/phones.ts'
import { whatsAppLink } from '../../lib/links.ts'
import { QueryProvider } from '../../lib/query-provider.tsx'
import { useNow } from '../../lib/use-now.ts'
import { Button, ButtonLink, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { Money, moneyText } from '../../ui/money.tsx'
import { LoadError } from '../../ui/notice-box.tsx'
import { Page } from '../../ui/page.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { StatusBadge, toneOfStatus } from '../../ui/status-badge.tsx'
import { useShop } from '../shop/api.ts'
import { orderQuery } from './api.ts'
import { isAbsent } from './is-absent.ts'
import { headlineOf, OrderTicket } from './order-ticket.tsx'
import { shareOrder } from './share-order.ts'
import { totalPaid } from './total-paid.ts'

const ReceiptDialog = lazyDialog(() => import('./receipt-dialog.tsx'))

/** One order: when to expect it, and what has happened to it. `id` is its number or `_id`. */
export default function OrderPage({ id }: { id: string }) {
  return (
    <QueryProvider>
      <Page width="form">
        <OrderById id={id} />
      </Page>
    </QueryProvider>
  )
}

function OrderById({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(orderQuery(id))
  const shop = useShop()
  const now = useNow()
  const [receipt, setReceipt] = useState(false)
  if (error && !data) return isAbsent(error) ? <Absent /> : <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Waiting />

  const { order, progress } = data
  const shown = { ...order, ...progress, receiver: spacedPhone(order.receiver) }
  const { title, text } = headlineOf(shown, now)
  const [whatsApp] = shop.whatsapp
  const help = `Hello ${shop.name}, my order ${order.number} (${order.network} ${order.offer} to ${order.receiver}, reference ${order.reference}) is ${order.status}.`
  return (
    <>
      <PageHeader title={title} actions={<StatusBadge tone={toneOfStatus(order.status)}>{order.status}</StatusBadge>}>
        Order {order.number}. {order.status === 'rejected' ? `We refunded ${moneyText(totalPaid(order))} to your wallet.` : text}
      </PageHeader>
      <OrderTicket
        order={shown}
        now={now}
        paid={order.paidWith === 'card' ? 'By card or mobile money' : 'From your wallet'}
        price={<Money cedis={totalPaid(order)} className="text-large" />}
      />
      <div className="mt-4 grid grid-cols-2 gap-2">
        <Button variant="secondary" icon={<Share2 className="size-5" aria-hidden="true" />} onClick={() => void shareOrder(order)}>
          Share
        </Button>
        <Button variant="secondary" icon={<ReceiptText className="size-5" aria-hidden="true" />} onClick={() => setReceipt(true)}>
          Receipt
        </Button>
        {whatsApp && (
          <a href={whatsAppLink(whatsApp, help)} target="_blank" rel="noreferrer" className={`${buttonClass('secondary')} col-span-2`}>
            <MessageCircle className="size-5" aria-hidden="true" />
            WhatsApp help
          </a>
        )}
      </div>
      <p className="tabular mt-4 text-small text-muted">
        <span className="block break-all">Reference {order.reference}</span>
        <span className="block">{order.date} UTC</span>
      </p>
      {receipt && <ReceiptDialog order={order} onClose={() => setReceipt(false)} />}
    </>
  )
}

function Absent() {
  return (
    <>
      <PageHeader title="Order not found" />
      <EmptyState icon={<PackageX />} title="There is no such order" action={<ButtonLink href="/user/history">My Transactions</ButtonLink>}>
        It may be another account’s. Check which account you’re signed in with.
      </EmptyState>
    </>
  )
}

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <>
      <PageHeader title="Your order" />
      <LoadError what="Your order" error={error} onRetry={onRetry} />
    </>
  )
}

function Waiting() {
  return (
    <>
      <PageHeader title="Your order" />
      <Loading>
        <Skeleton className="h-72" />
      </Loading>
    </>
  )
}
