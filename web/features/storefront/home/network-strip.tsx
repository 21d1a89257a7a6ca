import { Link } from 'wouter'
import type { UserLevel } from '../../../../shared/users.ts'
import { homeTexts } from '../../../texts/home.ts'
import { Money } from '../../../ui/money.tsx'
import { NetworkArt } from '../../../ui/network-art.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { networkAnchor } from '../../catalogue/products/network-anchor.ts'
import type { useShelf } from '../../catalogue/products/use-shelf.ts'
import { listNetworks, type NetworkOffer } from './list-networks.ts'

type Props = { shelf: ReturnType<typeof useShelf>; level: UserLevel | undefined }

/** Every network with its lowest price: rows on a phone, side by side on a desktop. Each leads to that network in the store. */
export function NetworkStrip({ shelf: { products, error, retry }, level }: Props) {
  if (!products && error)
    return (
      <p role="status" className="text-body">
        {homeTexts.noPrices} {error.message}{' '}
        <button type="button" onClick={retry} className="min-h-11 font-semibold text-brand-text underline underline-offset-4">
          {homeTexts.tryAgain}
        </button>
      </p>
    )
  if (!products) return <Skeleton className="h-118 lg:h-47" />
  if (products.length === 0) return <p className="text-body text-muted">{homeTexts.nothingForSale}</p>
  return (
    <ul className="overflow-hidden rounded-box border border-line bg-surface lg:flex">
      {listNetworks(products, level).map((offer) => (
        <li
          key={offer.network}
          className="flex-1 border-dotted border-line not-first:border-t-2 lg:not-first:border-t-0 lg:not-first:border-l-2"
        >
          <Network {...offer} />
        </li>
      ))}
    </ul>
  )
}

const ROW = 'flex min-h-16 lg:h-full lg:flex-col'

function Network({ network, first, last, from }: NetworkOffer) {
  const content = (
    <>
      <NetworkArt network={from === null ? '' : network} className="lg:h-18 lg:w-full" />
      <span className="flex min-w-0 flex-1 items-center justify-between gap-x-3 px-3 py-2 lg:flex-col lg:items-start lg:gap-y-3">
        <span className="min-w-0">
          <span className="block font-bold">{network}</span>
          <span className="block text-small text-muted">{first === last ? first : homeTexts.range(first, last)}</span>
        </span>
        {from === null ? (
          <span className="text-small font-semibold text-danger">{homeTexts.outOfStock}</span>
        ) : (
          <span className="shrink-0 whitespace-nowrap">
            <span className="text-small text-muted">{homeTexts.from}</span> <Money cedis={from} />
          </span>
        )}
      </span>
    </>
  )
  if (from === null) return <div className={ROW}>{content}</div>
  return (
    <Link href={`/store#${networkAnchor(network)}`} className={`${ROW} transition-colors hover:bg-sunken`}>
      {content}
    </Link>
  )
}
