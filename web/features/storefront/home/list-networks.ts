import type { Product } from '../../../../shared/products.ts'
import type { UserLevel } from '../../../../shared/users.ts'
import { offerParts } from '../../catalogue/products/offer-parts.ts'
import { priceFor } from '../../catalogue/products/price-for.ts'

/** What a network offers, and its lowest price in cedis; null while all of it is out of stock. */
export type NetworkOffer = { network: string; first: string; last: string; from: number | null }

/** One row per network, in the catalogue's order; products without packages have no price and no row. */
export function listNetworks(products: readonly Product[], level: UserLevel | undefined): NetworkOffer[] {
  const sold = products.filter(({ packages }) => packages.length > 0)
  return [...new Set(sold.map(({ network }) => network))].map((network) => {
    const all = sold.filter((product) => product.network === network)
    const inStock = all.filter(({ status }) => status === 'available')
    const offers = (inStock.length > 0 ? inStock : all).flatMap(({ packages }) =>
      packages.map(({ offer }) => offerParts(network, offer).name),
    )
    const [first = '', last = first] = [offers[0], offers.at(-1)]
    const prices = inStock.flatMap(({ packages }) => packages.map((line) => priceFor(line, level)))
    return { network, first, last, from: prices.length > 0 ? Math.min(...prices) : null }
  })
}
