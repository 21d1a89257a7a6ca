import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { smallImage } from '../../../../shared/images.ts'
import type { Product, ProductPackage } from '../../../../shared/products.ts'
import type { UserLevel } from '../../../../shared/users.ts'
import { storeTexts } from '../../../texts/store.ts'
import { classNames } from '../../../ui/class-names.ts'
import { TicketTile } from '../../../ui/ticket.tsx'
import { offerParts } from '../../catalogue/products/offer-parts.ts'
import { priceFor } from '../../catalogue/products/price-for.ts'
import { bestFirst } from '../../shop/shop/api.ts'

type Props = {
  /** Where the chip of the network leads. */
  id: string
  product: Product
  level: UserLevel | undefined
  /** The package that most buyers chose lately; it stands first. */
  best: string | undefined
  /** How long its orders typically take. */
  minutes: number | null
  /** Takes the whole width of a desktop, where other networks share a line. */
  wide: boolean
  eager: boolean
  onChoose: (product: Product, line: ProductPackage) => void
}

/** How many tiles are shown before all are asked for: on a phone two rows of three, on a desktop one row. */
const FOLDED = {
  wide: 'max-lg:[&>:nth-child(n+7)]:hidden lg:[&>:nth-child(n+9)]:hidden',
  half: '[&>:nth-child(n+7)]:hidden lg:[&>:nth-child(n+5)]:hidden',
}

/** One network of the store: its picture and name, and its offers as tickets with their prices. */
export function NetworkSection({ id, product, level, best, minutes, wide, eager, onChoose }: Props) {
  const [open, setOpen] = useState(false)
  const { network, packages } = product
  const inStock = product.status === 'available'
  const lines = bestFirst(packages, best ? [best] : [])
  const most = { phone: 6, desktop: wide ? 8 : 4 }
  // A name of several words needs a wider ticket than a volume.
  const isWordy = ({ offer }: ProductPackage) => {
    const { name } = offerParts(network, offer)
    return name.length > 5 && !/^(?:[\d.,]+ ?[GM]B|GHS \d+)$/i.test(name)
  }
  const wordy = packages.some(isWordy)
  return (
    <section id={id} aria-labelledby={`${id}-name`} className={classNames('scroll-mt-20', wide && 'lg:col-span-2')}>
      <div className="mb-2 flex min-h-11 flex-wrap items-center gap-x-3">
        <img
          src={smallImage(product.image)}
          alt=""
          width={360}
          height={225}
          loading={eager ? 'eager' : 'lazy'}
          decoding="async"
          className={classNames('size-11 shrink-0 rounded-box bg-sunken object-cover', !inStock && 'opacity-60 [filter:grayscale(1)]')}
        />
        <div className="min-w-14 flex-1">
          <h2 id={`${id}-name`} tabIndex={-1} className="text-large leading-tight outline-none">
            {network}
          </h2>
          {inStock ? (
            minutes !== null && <p className="text-small text-muted">{storeTexts.usually(minutes)}</p>
          ) : (
            <p className="text-small font-semibold text-muted">{storeTexts.outOfStock}</p>
          )}
        </div>
        {lines.length > most.desktop && (
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className={classNames(
              'inline-flex min-h-11 shrink-0 items-center gap-1 font-semibold text-brand-text',
              lines.length <= most.phone && 'max-lg:hidden',
            )}
          >
            {open ? storeTexts.fewerOffers : storeTexts.allOffers(lines.length)}
            <ChevronRight className={classNames('size-4.5', open && '-rotate-90')} aria-hidden="true" />
          </button>
        )}
      </div>
      <ul
        className={classNames(
          'tiles',
          wordy ? 'grid-cols-2' : wide ? 'lg:grid-cols-8' : 'lg:grid-cols-4',
          !open && (wide ? FOLDED.wide : FOLDED.half),
        )}
      >
        {lines.map((line) => (
          <li key={line._id} className="flex">
            <TicketTile
              network={network}
              offer={offerParts(network, line.offer).name}
              note={line.soldOut ? storeTexts.outOfStock : offerParts(network, line.offer).note}
              cedis={priceFor(line, level)}
              popular={inStock && line._id === best}
              disabled={!inStock || line.soldOut === true}
              onClick={() => onChoose(product, line)}
              className="w-full"
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
