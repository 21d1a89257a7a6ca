import { useQuery } from '@tanstack/react-query'
import { PackageX } from 'lucide-react'
import { lazy, Suspense, useEffect } from 'react'
import type { ShopFace } from '../../../../shared/agent-shops.ts'
import { loadPersistently } from '../../../lib/load-persistently.ts'
import { QueryProvider } from '../../../lib/query-provider.tsx'
import { orderTexts, trackerTexts as texts } from '../../../texts/orders.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { LoadError } from '../../../ui/notice-box.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { shopPath } from '../../agents/guest-shop/api.ts'
import { isAbsent } from '../../orders/orders/is-absent.ts'
import { trackedOrderQuery } from './api.ts'
import { GuestActs } from './guest-acts.tsx'
import { TrackedTicket } from './tracked-ticket.tsx'

const AfaPanel = lazy(() => loadPersistently(() => import('../../orders/afa/afa-panel.tsx')))
const GuestCheckers = lazy(() => loadPersistently(() => import('../../orders/checkers/guest-checkers.tsx')))

type Props = {
  reference: string
  /** The agent's shop whose page it is. */
  face: ShopFace | null | undefined
  /** Told whose order it is, once that is known. */
  onFace: (face: ShopFace | null) => void
}

/** An order by the link that its buyer shared. */
export function SharedOrderPage(props: Props) {
  return (
    <QueryProvider>
      <Page width="form">
        <SharedOrder {...props} />
      </Page>
    </QueryProvider>
  )
}

function SharedOrder({ reference, face, onFace }: Props) {
  const { data, error, refetch } = useQuery(trackedOrderQuery(reference))
  const isGone = error !== null && isAbsent(error)
  useEffect(() => {
    if (data) onFace(data.order.guest?.shop ?? null)
    else if (isGone) onFace(null)
  }, [data, isGone, onFace])
  if (data) {
    const hasCodes = data.order.guest !== null && data.order.network === 'WAEC Checkers' && data.order.status === 'completed'
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
        {hasCodes && (
          <Suspense fallback={<Skeleton className="mt-4 h-44" />}>
            <GuestCheckers reference={reference} />
          </Suspense>
        )}
        {data.order.guest && <GuestActs reference={reference} guest={data.order.guest} hasCodes={hasCodes} onDone={() => void refetch()} />}
        <ButtonLink href={face ? shopPath(face.slug) : '/store'} variant="secondary" block className="mt-4">
          {face ? texts.backTo(face.name) : texts.store}
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
      {isGone && (
        <EmptyState icon={<PackageX />} title={orderTexts.absent} action={<ButtonLink href="/track">{texts.track}</ButtonLink>}>
          {texts.absentText}
        </EmptyState>
      )}
      {error && !isGone && <LoadError what={orderTexts.what} error={error} onRetry={() => void refetch()} />}
    </>
  )
}
