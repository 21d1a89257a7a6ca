import { Megaphone } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { spacedPhone } from '../../../shared/phones.ts'
import type { Product } from '../../../shared/products.ts'
import { QueryProvider } from '../../lib/query-provider.tsx'
import { session } from '../../lib/session.ts'
import { storeTexts } from '../../texts/store.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { LoadError, NoticeBox } from '../../ui/notice-box.tsx'
import { Page } from '../../ui/page.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { useShortcuts } from '../contacts/use-shortcuts.ts'
import { useNotice } from '../notice/api.ts'
import { seenNotice } from '../notice/seen-notice.ts'
import { useProducts } from '../products/api.ts'
import { lastCatalogue } from '../products/last-catalogue.ts'
import { ProductCard } from './product-card.tsx'

const BuyDialog = lazyDialog(() => import('./buy-dialog.tsx'))
const NoticeDialog = lazyDialog(() => import('../notice/notice-dialog.tsx'))
const SignInDialog = lazyDialog(() => import('../auth/sign-in-dialog.tsx'))

export default function StorePage() {
  return (
    <QueryProvider>
      <Store />
    </QueryProvider>
  )
}

function Store() {
  const user = session.use()
  const { data: fresh, error, refetch } = useProducts()
  const remembered = lastCatalogue.use()
  const products = fresh ?? remembered?.products
  const seenAt = fresh ? null : (remembered?.at ?? null)
  const { data: notice } = useNotice()
  const seen = seenNotice.use()
  const [reading, setReading] = useState(false)
  const [, navigate] = useLocation()
  const params = new URLSearchParams(useSearch())
  const [wanted, offer, to] = [params.get('buy'), params.get('offer'), params.get('to')]
  const forSale = products?.filter(({ status }) => status === 'available')
  const chosen = forSale?.find(({ _id }) => _id === wanted) ?? forSale?.find(({ network }) => network === wanted)
  const shortcuts = useShortcuts()

  const noticeText = notice?.noticeContent.trim() ?? ''
  const showNotice = reading || (user !== null && noticeText !== '' && seen !== noticeText)
  const choose = (product: Product) => navigate(`/store?buy=${product._id}`, { replace: window.location.search !== '' })
  const leave = () => navigate('/store', { replace: true })

  // Preload the buy dialog.
  useEffect(() => {
    if (products && user) import('./buy-dialog.tsx').catch(() => undefined)
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
        {seenAt === null
          ? 'Choose a network, then an offer and the number to load it to.'
          : `Prices as you last saw them, on ${seenOn(seenAt)}. We’re checking for today’s.`}
      </PageHeader>
      {shortcuts.length > 0 && (
        <ul aria-label={storeTexts.buyAgain} className="mb-4 flex gap-2 overflow-x-auto">
          {shortcuts.map(({ href, name, offer: volume, phoneNumber }) => (
            <li key={href} className="shrink-0">
              <ButtonLink href={href} variant="secondary">
                {volume} {name ?? spacedPhone(phoneNumber)}
              </ButtonLink>
            </li>
          ))}
        </ul>
      )}
      {error && !fresh && products && (
        <NoticeBox
          tone="pending"
          className="mb-4"
          title="This is the store as you last saw it."
          action={
            <button
              type="button"
              onClick={() => void refetch()}
              className="min-h-11 rounded-box px-3 font-semibold underline underline-offset-4"
            >
              Try again
            </button>
          }
        >
          {error.message}
        </NoticeBox>
      )}
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
        <EmptyState title="Nothing for sale yet">Our bundles will show here. Please come back soon.</EmptyState>
      ) : (
        <ul className={GRID}>
          {products.map((product, index) => (
            <li key={product._id} className="flex">
              <ProductCard product={product} level={user?.userLevel} eager={index < 4} onChoose={choose} />
            </li>
          ))}
        </ul>
      )}
      {chosen && !user && <SignInDialog product={chosen} onClose={leave} />}
      {chosen && user && !showNotice && (
        <BuyDialog
          key={`${chosen._id} ${offer}`}
          product={chosen}
          offer={offer}
          to={to}
          onAsked={() => navigate(`/store?${new URLSearchParams({ buy: chosen._id, ...(offer && { offer }) })}`, { replace: true })}
          onClose={leave}
        />
      )}
      {showNotice && (
        <NoticeDialog
          text={noticeText}
          onClose={() => {
            seenNotice.set(noticeText)
            setReading(false)
          }}
        />
      )}
    </Page>
  )
}

function seenOn(at: number): string {
  return new Date(at).toLocaleString('en-GH', { day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })
}

const GRID = 'grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-5 lg:grid-cols-4'
