import { useId, useState } from 'react'
import type { Product, ProductPackage } from '../../../../shared/products.ts'
import type { UserLevel } from '../../../../shared/users.ts'
import { buyTexts } from '../../../texts/buy.ts'
import { storeTexts } from '../../../texts/store.ts'
import { Chip, ChipRow } from '../../../ui/chip.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { TicketTile } from '../../../ui/ticket.tsx'
import { offerParts, operatorsOf } from '../../catalogue/products/offer-parts.ts'
import { priceFor } from '../../catalogue/products/price-for.ts'
import { bestFirst, bestSellersOf, useShopFigures } from '../../shop/shop/api.ts'

type Props = {
  product: Product
  level: UserLevel | undefined
  chosen: ProductPackage | undefined
  disabled: boolean
  onChoose: (line: ProductPackage) => void
}

/** On a phone two rows of three, until all are asked for. */
const FOLDED = 6

/** The offers of a product as tickets, of which one is chosen. */
export function OfferTiles({ product, level, chosen, disabled, onChoose }: Props) {
  const group = useId()
  const [open, setOpen] = useState(false)
  const best = bestSellersOf(useShopFigures(), product._id)[0]
  const operators = operatorsOf(product)
  const [picked, setPicked] = useState(operators[0])
  const { network } = product
  const operator = chosen ? offerParts(network, chosen.offer).operator : picked
  const lines = bestFirst(product.packages, best ? [best] : []).filter(
    ({ offer }) => operators.length === 0 || offerParts(network, offer).operator === operator,
  )
  /** Another network for the same airtime. */
  const pickOperator = (next: string) => {
    setPicked(next)
    const amount = chosen && offerParts(network, chosen.offer).name
    const same = product.packages.find(({ offer }) => {
      const parts = offerParts(network, offer)
      return parts.operator === next && parts.name === amount
    })
    if (same) onChoose(same)
  }
  // What was chosen elsewhere takes the last place that a phone shows; pressing another tile moves none of them.
  const [first] = useState(chosen?.offer)
  const place = lines.findIndex(({ offer }) => offer === first)
  const shown =
    place < FOLDED
      ? lines
      : [
          ...lines.slice(0, FOLDED - 1),
          ...lines.slice(place, place + 1),
          ...lines.slice(FOLDED - 1).filter((line) => line !== lines[place]),
        ]
  return (
    <fieldset className="min-w-0">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-2">
        <legend className="contents">
          <span className="font-semibold">{buyTexts.offer}</span>
        </legend>
        {!chosen && <span className="mr-auto text-small text-muted">{buyTexts.chooseOffer}</span>}
        {lines.length > FOLDED && (
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="min-h-11 font-semibold text-brand-text sm:hidden"
          >
            {open ? buyTexts.fewerOffers : buyTexts.allOffers(lines.length)}
          </button>
        )}
      </div>
      {operators.length > 1 && (
        <ChipRow label={buyTexts.airtimeNetwork} className="mb-2">
          {operators.map((one) => (
            <Chip key={one} network={one} selected={one === operator} onClick={() => pickOperator(one)}>
              {one}
            </Chip>
          ))}
        </ChipRow>
      )}
      <div className={classNames('tiles sm:grid-cols-4', !open && 'max-sm:[&>:nth-child(n+7)]:hidden')}>
        {(open ? lines : shown).map((line) => (
          <TicketTile
            key={line._id}
            network={network}
            offer={offerParts(network, line.offer).name}
            note={line.soldOut ? storeTexts.outOfStock : offerParts(network, line.offer).note}
            cedis={priceFor(line, level)}
            popular={line._id === best}
            selected={line === chosen}
            disabled={disabled || line.soldOut === true}
            choice={group}
            {...(line.soldOut && { className: 'opacity-60 [filter:grayscale(1)]' })}
            onClick={() => onChoose(line)}
          />
        ))}
      </div>
    </fieldset>
  )
}
