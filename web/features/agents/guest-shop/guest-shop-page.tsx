import { useCallback, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { GuestPurchase, ShopOffer } from '../../../../shared/agent-shops.ts'
import { bundleName } from '../../../../shared/bundle-name.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import { useMediaQuery } from '../../../lib/use-media-query.ts'
import { guestShopTexts as texts } from '../../../texts/guest-shop.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Chip, ChipRow } from '../../../ui/chip.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { lazyDialog } from '../../../ui/lazy-dialog.tsx'
import { NetworkArt } from '../../../ui/network-art.tsx'
import { LoadError, NoticeBox } from '../../../ui/notice-box.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { TicketTile } from '../../../ui/ticket.tsx'
import { networkAnchor } from '../../catalogue/products/network-anchor.ts'
import { offerParts } from '../../catalogue/products/offer-parts.ts'
import { isAbsent } from '../../orders/orders/is-absent.ts'
import { useShop } from '../../shop/shop/api.ts'
import { confirmGuestPayment, forgetShopInPage, lastPurchases, readShop, shopInPage, trackerPath } from './api.ts'
import { RefundCode } from './refund-code.tsx'
import { ShopHeader } from './shop-header.tsx'
import { UnfinishedPayment } from './unfinished-payment.tsx'
import { useShopLook } from './use-shop-look.ts'

const GuestSheet = lazyDialog(() => import('./guest-sheet.tsx'))

/** An agent's shop under its own name and colour. Its guests need no account. */
export default function GuestShopPage({ slug }: { slug: string }) {
  const house = useShop()
  const narrow = !useMediaQuery('(min-width: 40rem)')
  const [inPage] = useState(() => shopInPage(slug))
  const [shop, setShop] = useState(inPage)
  const [error, setError] = useState<Error | null>(null)
  const [chosen, setChosen] = useState<ShopOffer | null>(null)
  const [purchase, setPurchase] = useState<GuestPurchase | null>(null)
  /** The payment that was made on this page just now. */
  const [madeNow, setMadeNow] = useState<string | null>(null)
  const last = lastPurchases.use()[slug]

  const load = useCallback(async () => {
    try {
      setShop(await readShop(slug))
      setError(null)
    } catch (cause) {
      setError(cause as Error)
    }
  }, [slug])
  useEffect(() => {
    if (inPage) forgetShopInPage()
    else void load()
  }, [load, inPage])
  useEffect(() => {
    // What the purchase before came to is no news of the next one.
    setPurchase((before) => (before?.payment.reference === last ? before : null))
    if (last) confirmGuestPayment(last).then(setPurchase, () => undefined)
  }, [last])

  const forget = () => {
    lastPurchases.set(Object.fromEntries(Object.entries(lastPurchases.get()).filter(([key]) => key !== slug)))
    setPurchase(null)
  }
  useShopLook(shop)

  if (!shop)
    return (
      <Page>
        {!error ? (
          <Loading>
            <Skeleton className="mt-8 h-64" />
          </Loading>
        ) : isAbsent(error) ? (
          <EmptyState title={texts.noShop}>{texts.noShopText}</EmptyState>
        ) : (
          <LoadError what={texts.theShop} error={error} onRetry={() => void load()} />
        )}
      </Page>
    )

  const networks = [...new Set(shop.offers.map(({ network }) => network))]
  // What was chosen is shown at its newest price.
  const offer = chosen && shop.offers.find(({ productId, offer: line }) => productId === chosen.productId && line === chosen.offer)
  const close = () => setChosen(null)
  return (
    <>
      <ShopHeader shop={shop} />
      <Page>
        {/* Of a payment under way the sheet speaks alone: nothing is left unfinished yet. */}
        {offer ? null : purchase?.payment.accessCode ? (
          <UnfinishedPayment purchase={purchase} accessCode={purchase.payment.accessCode} onPurchase={setPurchase} onDrop={forget} />
        ) : (
          purchase &&
          !isDropped(purchase) && <PurchaseBox purchase={purchase} madeNow={madeNow === purchase.payment.reference} onDone={forget} />
        )}
        {shop.closed && (
          <NoticeBox tone="pending" className="mt-3">
            {shop.closed}
          </NoticeBox>
        )}
        {!shop.closed && shop.offers.length === 0 && (
          <div className="mt-3">
            <EmptyState title={texts.nothing}>{texts.nothingText}</EmptyState>
          </div>
        )}
        {networks.length > 1 && (
          <ChipRow label={texts.networks} navigation wrap className="mt-3">
            {networks.map((network) => (
              <Chip
                key={network}
                network={network}
                onClick={() => document.getElementById(networkAnchor(network))?.scrollIntoView({ behavior: 'smooth' })}
              >
                {network}
              </Chip>
            ))}
          </ChipRow>
        )}
        {networks.map((network) => (
          <section key={network} id={networkAnchor(network)} className="mt-4">
            <div className="mb-2 flex items-center gap-2.5">
              <NetworkArt network={network} className="size-11 rounded-box" />
              <h2 className="text-large">{network}</h2>
            </div>
            <ul
              className="tiles sm:grid-cols-4 lg:grid-cols-8"
              style={narrow && fillsPairs(shop.offers.filter((one) => one.network === network)) ? PAIRS : undefined}
            >
              {shop.offers
                .filter((one) => one.network === network)
                .map((one) => {
                  const parts = offerParts(network, one.offer)
                  return (
                    <li key={`${one.productId} ${one.offer}`} className="flex has-[>.col-span-2]:col-span-2">
                      <TicketTile
                        network={network}
                        offer={parts.name}
                        note={parts.note}
                        cedis={one.price}
                        onClick={() => setChosen(one)}
                        className="w-full"
                      />
                    </li>
                  )
                })}
            </ul>
          </section>
        ))}
        <Card className="mt-7 p-5">
          <h2 className="text-large">{texts.howTitle}</h2>
          <ol className="mt-2">
            {texts.how.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <p className="mt-2 text-small text-muted">{texts.promise(house.name)}</p>
          <Link href={trackerPath(slug)} className="inline-flex min-h-11 items-center font-semibold text-brand-text">
            {texts.follow}
          </Link>
        </Card>
        <p className="mt-4 text-small text-muted">{texts.soldWith(shop.name, house.name)}</p>
      </Page>
      {offer && !shop.closed && (
        <GuestSheet
          slug={slug}
          offer={offer}
          onRefresh={load}
          onPurchase={(done) => {
            setPurchase(done)
            setMadeNow(done.payment.reference)
            close()
          }}
          onClose={close}
        />
      )}
    </>
  )
}

type BoxProps = { purchase: GuestPurchase; madeNow: boolean; onDone: () => void }

/** What became of the newest purchase, with a link to each of its orders. Made now, it comes into sight: the ticket may stand far below. */
function PurchaseBox({ purchase: { payment, orders, refund }, madeNow, onDone }: BoxProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!madeNow) return
    const show = () => box.current?.scrollIntoView({ block: 'nearest' })
    show()
    // The sheet's entry in the history is left a moment later, which brings the page back to where it was.
    addEventListener('popstate', show)
    return () => removeEventListener('popstate', show)
  }, [madeNow])
  const paid = payment.status === 'paid'
  const message = payment.message ?? (paid ? texts.keepLink : payment.status === 'open' ? texts.waiting : texts.notPaid)
  return (
    <div ref={box} className="scroll-mt-4 pt-4">
      <NoticeBox tone={paid && !refund ? 'done' : 'pending'} title={paid ? titleOf(orders) : texts.yours}>
        {orders.map(({ number, network, offer, phoneNumber }) => (
          <p key={number} className="font-semibold">
            {texts.bought(bundleName(network, offerParts(network, offer).name), spacedPhone(phoneNumber))}
          </p>
        ))}
        <p>{refund?.message ?? message}</p>
        {refund !== null && refund.inCodes > 0 && <RefundCode reference={payment.reference} />}
        <div className="mt-2 flex flex-wrap gap-2">
          {orders.map(({ number, reference }) => (
            <ButtonLink key={reference} href={`/t/${reference}`} variant="secondary">
              {texts.order(number)}
            </ButtonLink>
          ))}
          {payment.status !== 'open' && (
            <Button variant="quiet" onClick={onDone}>
              {texts.dismiss}
            </Button>
          )}
        </div>
      </NoticeBox>
    </div>
  )
}

/** As the orders of a paid purchase are by now. */
function titleOf(orders: GuestPurchase['orders']): string {
  const all = (status: GuestPurchase['orders'][number]['status']) => orders.length > 0 && orders.every((order) => order.status === status)
  return all('rejected') ? texts.notDelivered : all('completed') ? texts.completed : texts.thanks
}

/** Over without money, or open with nothing to go on with. */
function isDropped({ payment: { status, progress } }: GuestPurchase): boolean {
  return status === 'expired' || status === 'failed' || (status === 'open' && progress !== 'under-way')
}

/** Two columns where three would leave a hole and letters leave room for two. */
const PAIRS = { gridTemplateColumns: 'repeat(auto-fill, minmax(max(5.625rem, 40%), 1fr))' }

function fillsPairs(offers: readonly ShopOffer[]): boolean {
  return offers.length % 3 > 0 && offers.length % 2 === 0
}
