import { useQuery } from '@tanstack/react-query'
import { PackageX, ReceiptText, RotateCcw, Share2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import type { Order, OrderProgress } from '../../../../shared/orders.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import { loadPersistently } from '../../../lib/load-persistently.ts'
import { QueryProvider } from '../../../lib/query-provider.tsx'
import { useNow } from '../../../lib/use-now.ts'
import { orderTexts as texts } from '../../../texts/orders.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Money, moneyText } from '../../../ui/money.tsx'
import { LoadError } from '../../../ui/notice-box.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { StatusPunches } from '../../../ui/punches.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { useReceivers } from '../../catalogue/contacts/api.ts'
import { buyAgainPath } from '../../catalogue/contacts/buy-again-path.ts'
import { nameOfReceiver } from '../../catalogue/contacts/name-of-receiver.ts'
import { NewsSwitch } from '../../people/news/news-switch.tsx'
import { useShop } from '../../shop/shop/api.ts'
import { HelpLink } from '../../shop/shop/help-link.tsx'
import { orderQuery } from './api.ts'
import { isAbsent } from './is-absent.ts'
import { headlineOf, OrderTicket } from './order-ticket.tsx'
import { ReportPanel } from './report-panel.tsx'
import { shareOrder } from './share-order.ts'
import { totalPaid } from './total-paid.ts'

/** Few orders need them. */
const AfaPanel = lazy(() => loadPersistently(() => import('../afa/afa-panel.tsx')))
const OwnCheckers = lazy(() => loadPersistently(() => import('../checkers/own-checkers.tsx')))
const RefundToSource = lazy(() => loadPersistently(() => import('./refund-to-source.tsx')))

/** One order: when to expect it, and what has happened to it. `id` is its number or `_id`. */
export default function OrderPage({ id }: { id: string }) {
  return (
    <QueryProvider>
      <Page className="max-w-[65rem]">
        <OrderById id={id} />
      </Page>
    </QueryProvider>
  )
}

function OrderById({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(orderQuery(id))
  const receivers = useReceivers()
  const shop = useShop()
  const now = useNow()
  if (error && !data) return isAbsent(error) ? <Absent /> : <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Waiting />

  const { order, progress, reporting, correction } = data
  const shown = {
    ...order,
    ...progress,
    receiver: spacedPhone(order.receiver),
    name: nameOfReceiver(receivers, order),
    pinComes: 'here' as const,
  }
  const isChecker = order.network === 'WAEC Checkers' && order.status === 'completed'
  const { title, text } =
    reporting?.report?.status === 'open'
      ? texts.lookedInto
      : isChecker
        ? shop.noSms
          ? texts.checkerNoSms
          : texts.checker
        : headlineOf(shown, now)
  const { expected } = progress
  const usual = expected && texts.usual(expected.fromMinutes, expected.toMinutes)
  const isSent = progress.steps.some(({ step }) => step === 'sent')
  return (
    <>
      <PageHeader
        title={title}
        kicker={[texts.kicker(order.number), usual].filter(Boolean).join(' · ')}
        actions={<StatusPunches status={order.status} sent={isSent} note={noteOf(order, progress)} />}
      >
        {order.status === 'rejected' ? [order.refundReason, texts.refundedTo(moneyText(totalPaid(order)))].filter(Boolean).join(' ') : text}
      </PageHeader>
      <div className="grid gap-4 lg:grid-cols-2 lg:items-start lg:gap-8">
        <div className="flex min-w-0 flex-col gap-4">
          {isChecker && (
            <Suspense fallback={<Skeleton className="h-80" />}>
              <OwnCheckers orderId={order._id} />
            </Suspense>
          )}
          <OrderTicket
            order={shown}
            now={now}
            paid={order.paidWith === 'card' ? texts.byCard : texts.fromWallet}
            price={<Money cedis={totalPaid(order)} className="text-large" />}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-3">
          {order.network === 'AFA' && (
            <Suspense fallback={<Skeleton className="h-40" />}>
              <AfaPanel orderId={order._id} receiver={order.receiver} />
            </Suspense>
          )}
          <div className="grid grid-cols-[repeat(auto-fit,minmax(8.75rem,1fr))] gap-2 lg:grid-cols-2 *:px-2! [&_svg]:shrink-0">
            <Button variant="secondary" icon={<Share2 className={ICON} aria-hidden="true" />} onClick={() => void shareOrder(order)}>
              {texts.share}
            </Button>
            <ButtonLink variant="secondary" icon={<ReceiptText className={ICON} aria-hidden="true" />} href={`/receipt/${order.number}`}>
              {texts.receipt}
            </ButtonLink>
            <HelpLink about="order" text={texts.whatsAppText(shop.name, order)}>
              {texts.whatsAppHelp}
            </HelpLink>
            <ButtonLink variant="secondary" icon={<RotateCcw className={ICON} aria-hidden="true" />} href={buyAgainPath(order)}>
              {texts.buyAgain}
            </ButtonLink>
          </div>
          {correction && (
            <p className="rounded-box bg-sunken px-4 py-3 text-body">
              {texts.corrected(
                spacedPhone(correction.from),
                spacedPhone(correction.to),
                correction.agreedBy,
                texts.consent[correction.consent],
              )}
            </p>
          )}
          {order.status === 'rejected' && order.paidWith === 'card' && (
            <Suspense fallback={<Skeleton className="h-40" />}>
              <RefundToSource orderId={order._id} now={now} />
            </Suspense>
          )}
          <ReportPanel order={order} reporting={reporting} now={now} />
          <NewsSwitch />
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-small text-muted [&>dd]:text-right [&>dd]:break-all">
            {order.paymentReference && <Fact name={texts.paymentReference}>{order.paymentReference}</Fact>}
            <Fact name={texts.reference}>{order.reference}</Fact>
            {order.clientReference && <Fact name={texts.clientReference}>{order.clientReference}</Fact>}
            <Fact name={texts.date}>{texts.utc(order.date)}</Fact>
          </dl>
        </div>
      </div>
    </>
  )
}

/** What would seem to contradict the status is said beside it. */
function noteOf({ status }: Order, { steps }: OrderProgress): string | undefined {
  if (status === 'rejected') return texts.note.refunded
  const last = steps.at(-1)
  return status === 'pending' && last?.step === 'delivered' && last.at !== null ? texts.note.closing : undefined
}

const ICON = 'size-5 shrink-0'

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="tabular">{children}</dd>
    </>
  )
}

function Waiting() {
  return (
    <Loading>
      <Skeleton className="mt-6 h-4 w-40 sm:mt-10" />
      <Skeleton className="mt-2 h-8 w-64" />
      <div className="mt-8 grid gap-4 lg:grid-cols-2 lg:gap-8">
        <Skeleton className="h-80" />
        <div className="grid grid-cols-2 content-start gap-2">
          {['a', 'b', 'c', 'd'].map((key) => (
            <Skeleton key={key} className="h-12" />
          ))}
          <Skeleton className="col-span-2 mt-1 h-14" />
        </div>
      </div>
    </Loading>
  )
}

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <>
      <PageHeader title={texts.wait} />
      <LoadError what={texts.what} error={error} onRetry={onRetry} />
    </>
  )
}

function Absent() {
  return (
    <>
      <PageHeader title={texts.wait} />
      <EmptyState icon={<PackageX />} title={texts.absent} action={<ButtonLink href="/user/history">{texts.seeTransactions}</ButtonLink>}>
        {texts.absentText}
      </EmptyState>
    </>
  )
}
