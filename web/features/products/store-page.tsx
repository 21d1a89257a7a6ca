import { Megaphone } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { Product } from '../../../shared/products.ts'
import { lazyWithQueries } from '../../lib/lazy-with-queries.tsx'
import { session } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadError } from '../../ui/notice-box.tsx'
import { Page } from '../../ui/page.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { useNotice } from '../notice/api.ts'
import { seenNotice } from '../notice/seen-notice.ts'
import { useProducts } from './api.ts'
import { ProductCard } from './product-card.tsx'

const BuyDialog = lazyWithQueries(() => import('./buy-dialog.tsx'))
const NoticeDialog = lazy(() => import('../notice/notice-dialog.tsx'))
const SignInDialog = lazy(() => import('../auth/sign-in-dialog.tsx'))

export default function StorePage() {
  const user = session.use()
  const { data: products, error, refetch } = useProducts()
  const { data: notice } = useNotice()
  const seen = seenNotice.use()
  const [reading, setReading] = useState(false)
  const [, navigate] = useLocation()
  const chosenId = new URLSearchParams(useSearch()).get('buy')
  const chosen = products?.find((product) => product._id === chosenId && product.status === 'available')

  const noticeText = notice?.noticeContent.trim() ?? ''
  const showNotice = reading || (user !== null && noticeText !== '' && seen !== noticeText)
  const choose = (product: Product) => navigate(`/store?buy=${product._id}`)
  const leave = () => navigate('/store', { replace: true })

  // The buy dialog's code is on its way before anyone asks for it.
  useEffect(() => {
    if (products && user) void import('./buy-dialog.tsx')
  }, [products, user])

  return (
    <Page>
      <PageHeader
        title="Store"
        actions={
          noticeText !== '' && (
            <Button
              variant="quiet"
              size="compact"
              icon={<Megaphone className="size-4.5" aria-hidden="true" />}
              onClick={() => setReading(true)}
            >
              Read the notice
            </Button>
          )
        }
      >
        Choose a network, then the offer and the number that receives it.
      </PageHeader>
      {error && !products ? (
        <LoadError what="The store" error={error} onRetry={() => void refetch()} />
      ) : !products ? (
        <Loading label="Loading the store…">
          <ul className={GRID}>
            {Array.from({ length: 7 }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are all alike.
              <li key={index}>
                <Skeleton className="aspect-[8/5]" />
                <Skeleton className="mt-3 h-14" />
              </li>
            ))}
          </ul>
        </Loading>
      ) : products.length === 0 ? (
        <EmptyState title="Nothing is on the shelf yet">The shop's bundles will stand here. Please come back soon.</EmptyState>
      ) : (
        <ul className={GRID}>
          {products.map((product, index) => (
            <li key={product._id} className="flex">
              <ProductCard product={product} level={user?.userLevel} eager={index < 4} onChoose={choose} />
            </li>
          ))}
        </ul>
      )}
      <Suspense fallback={null}>
        {chosen && !user && <SignInDialog product={chosen} onClose={leave} />}
        {chosen && user && !showNotice && <BuyDialog key={chosen._id} product={chosen} onClose={leave} />}
        {showNotice && (
          <NoticeDialog
            text={noticeText}
            onClose={() => {
              seenNotice.set(noticeText)
              setReading(false)
            }}
          />
        )}
      </Suspense>
    </Page>
  )
}

const GRID = 'grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-5 lg:grid-cols-4'
