import { useQuery } from '@tanstack/react-query'
import { PackageX } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { loadPersistently } from '../../lib/load-persistently.ts'
import { QueryProvider } from '../../lib/query-provider.tsx'
import { orderTexts, trackerTexts as texts } from '../../texts/orders.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadError } from '../../ui/notice-box.tsx'
import { Page } from '../../ui/page.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { isAbsent } from '../orders/is-absent.ts'
import { trackedOrderQuery } from './api.ts'
import { GuestActs } from './guest-acts.tsx'
import { TrackedTicket } from './tracked-ticket.tsx'

const AfaPanel = lazy(() => loadPersistently(() => import('../afa/afa-panel.tsx')))
const GuestCheckers = lazy(() => loadPersistently(() => import('../checkers/guest-checkers.tsx')))

/** An order by the link that its buyer shared. */
export default function SharedOrderPage({ reference }: { reference: string }) {
  return (
    <QueryProvider>
      <Page width="form">
        <SharedOrder reference={reference} />
      </Page>
    </QueryProvider>
  )
}

function SharedOrder({ reference }: { reference: string }) {
  const { data, error, refetch } = useQuery(trackedOrderQuery(reference))
  if (data) {
    return (
      <>
        <TrackedTicket order={data.order} />
        {data.order.guest && data.order.network === 'AFA' && (
          <Suspense fallback={<Skeleton className="mt-4 h-40" />}>
            <div className="mt-4">
              <AfaPanel orderId={reference} reference={reference} />
            </div>
          </Suspense>
        )}
        {data.order.guest && data.order.network === 'WAEC Checkers' && data.order.status === 'completed' && (
          <Suspense fallback={<Skeleton className="mt-4 h-44" />}>
            <GuestCheckers reference={reference} />
          </Suspense>
        )}
        {data.order.guest && <GuestActs reference={reference} guest={data.order.guest} onDone={() => void refetch()} />}
        <ButtonLink href="/store" variant="secondary" block className="mt-4">
          {texts.store}
        </ButtonLink>
      </>
    )
  }
  return (
    <>
      <PageHeader title={texts.title} />
      {!error && (
        <Loading>
          <Skeleton className="h-72" />
        </Loading>
      )}
      {error && isAbsent(error) && (
        <EmptyState icon={<PackageX />} title={orderTexts.absent} action={<ButtonLink href="/track">{texts.track}</ButtonLink>}>
          {texts.absentText}
        </EmptyState>
      )}
      {error && !isAbsent(error) && <LoadError what={orderTexts.what} error={error} onRetry={() => void refetch()} />}
    </>
  )
}
