import { lazy, type ReactNode, Suspense } from 'react'
import type { Product } from '../../../../shared/products.ts'
import type { Figures } from '../../../../shared/stats.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { loadPersistently } from '../../../lib/load-persistently.ts'
import { homeTexts } from '../../../texts/home.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Page } from '../../../ui/page.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { TicketTile } from '../../../ui/ticket.tsx'
import { priceFor } from '../../catalogue/products/price-for.ts'
import { typicalMinutesOf, useShop, useShopFigures } from '../../shop/shop/api.ts'
import { pickTickets } from './pick-tickets.ts'

const BuyAgain = lazy(() => loadPersistently(() => import('./buy-again.tsx')))

type Props = { user: SignedInUser | null; products: readonly Product[] | undefined }

/**
 * The green page on top: tickets with their prices for visitors, what they bought last for customers. Both are of about the
 * same height, because a page that the server prepared begins with the visitors' one.
 */
export function Hero({ user, products }: Props) {
  const { tagline } = useShop()
  const figures = useShopFigures()
  const tickets = <Tickets products={products} figures={figures} user={user} />
  return (
    <section className="field">
      <Page
        className={classNames(
          'grid min-h-108 lg:content-center lg:min-h-113 gap-3 py-5! lg:grid-cols-[30rem_1fr] lg:grid-rows-[1fr_auto_3.75rem_3.5rem_1fr] lg:gap-x-18 lg:py-12!',
          !user && 'visitor-only',
        )}
      >
        <div className="min-w-0 lg:row-start-2">
          {user && <p className="text-muted">{homeTexts.welcomeBack(user.username)}</p>}
          <h1 className="text-display lg:text-figure">{user ? homeTexts.whoNeedsData : tagline}</h1>
          <p className="mt-2 text-large text-muted">{user ? tagline : homeTexts.lead}</p>
        </div>
        <div className="min-w-0 lg:col-start-2 lg:row-span-5 lg:row-start-1 lg:min-h-86.5 lg:self-center">
          {user ? (
            <Suspense fallback={<Skeleton className="h-54" />}>
              <BuyAgain>{tickets}</BuyAgain>
            </Suspense>
          ) : (
            tickets
          )}
        </div>
        <ButtonLink href="/store" size="large" className="lg:row-start-3 lg:mt-2 lg:w-65">
          {homeTexts.buyHere}
        </ButtonLink>
        {!user && <ShopFigures figures={figures} />}
      </Page>
    </section>
  )
}

const TILE = 'h-26'

/** Three on a phone, or six where a customer's own would stand; eight or twelve on wider screens. */
function Tickets({ products, figures, user }: Props & { figures: Figures }) {
  if (products?.length === 0) return null
  return (
    <ul aria-label={homeTexts.tickets} className="tiles sm:grid-cols-4">
      {products
        ? pickTickets(products, figures).map((tickets, row) =>
            tickets.map(({ product, line, rank, popular }) => (
              <li key={line._id} className={shownFrom(row, rank, user ? 2 : 1)}>
                <TicketTile
                  network={product.network}
                  offer={line.offer}
                  note={product.network}
                  cedis={priceFor(line, user?.userLevel)}
                  popular={popular}
                  href={`/store?buy=${product._id}&offer=${encodeURIComponent(line.offer)}`}
                  className="h-full w-full"
                />
              </li>
            )),
          )
        : [0, 1, 2].map((row) =>
            [0, 1, 2, 3].map((rank) => (
              <li key={rank} className={shownFrom(row, rank, user ? 2 : 1)}>
                <Skeleton className={TILE} />
              </li>
            )),
          )}
    </ul>
  )
}

function shownFrom(row: number, rank: number, rowsOnPhone: number): string | undefined {
  if (row < rowsOnPhone && rank < 3) return undefined
  return row < 2 ? 'hidden sm:block' : 'hidden lg:block'
}

function ShopFigures({ figures }: { figures: Figures }) {
  const { hours } = useShop()
  const { ordersDelivered, deliveryTimes } = figures
  const [first] = deliveryTimes
  const network = typicalMinutesOf(figures, 'MTN') === null ? first?.network : 'MTN'
  const minutes = network && typicalMinutesOf(figures, network)
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-2 pt-1 lg:row-start-4 lg:gap-x-8">
      {ordersDelivered !== null && <Figure name={homeTexts.ordersDelivered}>{ordersDelivered.toLocaleString('en')}</Figure>}
      {network && minutes != null && <Figure name={homeTexts.typicalDelivery(network)}>{homeTexts.duration(minutes)}</Figure>}
      {hours && <Figure name={homeTexts.aWeekTo(hours.closesAt)}>{homeTexts.days(hours.days.length)}</Figure>}
    </dl>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex max-w-24 flex-col-reverse justify-end lg:max-w-none">
      <dt className="text-small text-muted">{name}</dt>
      <dd className="text-title font-bold whitespace-nowrap">{children}</dd>
    </div>
  )
}
