import { Megaphone } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { Product, ProductPackage } from '../../../../shared/products.ts'
import { loadPersistently } from '../../../lib/load-persistently.ts'
import { session } from '../../../lib/session.ts'
import { storeTexts } from '../../../texts/store.ts'
import { Button } from '../../../ui/button.tsx'
import { Chip, ChipRow } from '../../../ui/chip.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { lazyDialog } from '../../../ui/lazy-dialog.tsx'
import { LoadError, NoticeBox } from '../../../ui/notice-box.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { useProducts } from '../../catalogue/products/api.ts'
import { lastCatalogue } from '../../catalogue/products/last-catalogue.ts'
import { networkAnchor } from '../../catalogue/products/network-anchor.ts'
import { useNotice } from '../../shop/notice/api.ts'
import { seenNotice } from '../../shop/notice/seen-notice.ts'
import { bestSellersOf, typicalMinutesOf, useShopFigures } from '../../shop/shop/api.ts'
import { NetworkSection } from './network-section.tsx'

const BuyDialog = lazyDialog(() => import('./buy-dialog.tsx'))
const NoticeDialog = lazyDialog(() => import('../../shop/notice/notice-dialog.tsx'))
const SignInDialog = lazyDialog(() => import('../../people/auth/sign-in-dialog.tsx'))
const StoreSide = lazy(() => loadPersistently(() => import('./store-side.tsx')))

export default function StorePage() {
  const user = session.use()
  const { data: fresh, error, refetch } = useProducts()
  const remembered = lastCatalogue.use()
  const products = fresh ?? remembered?.products
  const seenAt = fresh ? null : (remembered?.at ?? null)
  const figures = useShopFigures()
  const { data: notice } = useNotice()
  const seen = seenNotice.use()
  const [reading, setReading] = useState(false)
  const [, navigate] = useLocation()
  const params = new URLSearchParams(useSearch())
  const [wanted, offer, to, placed] = [params.get('buy'), params.get('offer'), params.get('to'), params.get('placed')]
  const forSale = products?.filter(({ status }) => status === 'available')
  // What is being paid or was just bought stays on the screen, also when it sells out meanwhile.
  const [held, setHeld] = useState<Product | null>(null)
  const onShelf = forSale?.find(({ _id }) => _id === wanted) ?? forSale?.find(({ network }) => network === wanted)
  const chosen = onShelf ?? ((wanted ?? placed) ? (held ?? undefined) : undefined)

  const noticeText = notice?.noticeContent.trim() ?? ''
  const showNotice = reading || (user !== null && noticeText !== '' && seen !== noticeText)
  const open = (product: Product, line: string | null) => {
    const query = new URLSearchParams({ buy: product._id, ...(line && { offer: line }) })
    navigate(`/store?${query}`, { replace: true })
  }
  const choose = (product: Product, line: ProductPackage) => open(product, line.offer)
  const leave = () => navigate('/store', { replace: true })

  const isReady = products !== undefined && user !== null
  useEffect(() => {
    if (isReady) void import('../../../lib/when-quiet.ts').then(({ loadAhead }) => loadAhead(() => import('./buy-dialog.tsx')))
  }, [isReady])

  // Loaded anew while it told of an order, it shows that order, and not a form that buys the same once more.
  useEffect(() => {
    if (!placed || held) return
    // Back from the order leads to the store without a form.
    navigate('/store', { replace: true })
    navigate(`/order/${placed}`)
  }, [placed, held, navigate])

  const isGone = wanted !== null && products !== undefined && chosen === undefined
  useEffect(() => {
    if (isGone) toast.info(storeTexts.notForSale)
  }, [isGone])

  // The browser jumps to "#telecel" only on a page that it loads itself.
  const hasProducts = products !== undefined
  useEffect(() => {
    const anchor = window.location.hash.slice(1)
    if (hasProducts && anchor) document.getElementById(anchor)?.scrollIntoView()
  }, [hasProducts])

  const firstWide = products?.find(({ packages }) => packages.length > 4)
  return (
    <Page>
      <PageHeader
        title={storeTexts.title}
        actions={
          noticeText !== '' && (
            <Button
              variant="quiet"
              size="compact"
              icon={<Megaphone className="size-4.5" aria-hidden="true" />}
              onClick={() => setReading(true)}
            >
              {storeTexts.readNotice}
            </Button>
          )
        }
      >
        {seenAt !== null ? (
          storeTexts.oldPrices(seenOn(seenAt))
        ) : (
          <span className="in-data-signed-in:hidden">{storeTexts.introVisitor}</span>
        )}
      </PageHeader>
      {/* The attribute is there before any script has run, so that nothing moves once it is known who is here. */}
      <div className="in-data-signed-in:lg:grid in-data-signed-in:lg:grid-cols-[minmax(0,1fr)_20rem] in-data-signed-in:lg:gap-8">
        <div className="mb-3 hidden min-h-27 in-data-signed-in:block lg:col-start-2 lg:row-start-1">
          {user && (
            <Suspense fallback={null}>
              <StoreSide />
            </Suspense>
          )}
        </div>
        <div className="min-w-0 lg:col-start-1 lg:row-start-1">
          {error && !fresh && products && (
            <NoticeBox
              tone="pending"
              className="mb-4"
              title={storeTexts.oldStore}
              action={
                <button
                  type="button"
                  onClick={() => void refetch()}
                  className="min-h-11 rounded-box px-3 font-semibold underline underline-offset-4"
                >
                  {storeTexts.tryAgain}
                </button>
              }
            >
              {error.message}
            </NoticeBox>
          )}
          {error && !products ? (
            <LoadError what={storeTexts.theStore} error={error} onRetry={() => void refetch()} />
          ) : !products ? (
            <StoreLoading />
          ) : products.length === 0 ? (
            <EmptyState title={storeTexts.nothingForSale}>{storeTexts.nothingForSaleText}</EmptyState>
          ) : (
            <>
              <ChipRow label={storeTexts.networks} navigation wrap className="mb-4">
                {[...new Set(products.map(({ network }) => network))].map((network) => (
                  <Chip key={network} network={network} onClick={() => jumpTo(network)}>
                    {network}
                  </Chip>
                ))}
              </ChipRow>
              <div className="grid gap-x-6 gap-y-7 lg:grid-cols-2">
                {products.map((product, index) => (
                  <NetworkSection
                    key={product._id}
                    id={idOf(product, products)}
                    product={product}
                    level={user?.userLevel}
                    best={bestSellersOf(figures, product._id)[0]}
                    minutes={typicalMinutesOf(figures, product.network)}
                    wide={product === firstWide}
                    eager={index < 3}
                    onChoose={choose}
                  />
                ))}
              </div>
            </>
          )}
        </div>
      </div>
      {chosen && !user && <SignInDialog product={chosen} offer={offer} onClose={leave} />}
      {chosen && user && !showNotice && (
        <BuyDialog
          key={chosen._id}
          product={chosen}
          offer={offer}
          to={to}
          onOffer={(name) => open(chosen, name)}
          onPlaced={(number) => navigate(`/store?placed=${number}`, { replace: true })}
          onHold={setHeld}
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

/** Where the chip of its network leads, for the first product of that network. */
function idOf(product: Product, products: readonly Product[]): string {
  const isFirst = products.find(({ network }) => network === product.network) === product
  return isFirst ? networkAnchor(product.network) : product._id
}

function jumpTo(network: string): void {
  const section = document.getElementById(networkAnchor(network))
  section?.scrollIntoView({ behavior: 'smooth', block: 'start' })
  section?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true })
}

/** In the shape of what comes: networks with their tiles. */
function StoreLoading() {
  return (
    <Loading label={storeTexts.loading}>
      {[6, 6].map((count, section) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are all alike.
        <div key={section} className={classNames(section > 0 && 'mt-7')}>
          <Skeleton className="mb-2 h-11 w-40" />
          <div className="tiles">
            {Array.from({ length: count }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are all alike.
              <Skeleton key={index} className="h-24" />
            ))}
          </div>
        </div>
      ))}
    </Loading>
  )
}

function seenOn(at: number): string {
  return new Date(at).toLocaleString('en-GH', { day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })
}
