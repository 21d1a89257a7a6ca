import type { Product, ProductPackage } from '../../../../shared/products.ts'
import type { Figures } from '../../../../shared/stats.ts'
import { bestSellersOf } from '../../shop/shop/api.ts'

const PRODUCTS = 3
const EACH = 4
/** The sizes that people look for, taken where sales don't say yet what sells best. */
const USUAL = ['1GB', '5GB', '10GB', '2GB']

/** `rank` is 0 for the ticket of its product that deserves its place most. */
export type ShownTicket = { product: Product; line: ProductPackage; rank: number; popular: boolean }

/** The tickets of the first three products in stock, up to four of each: best sellers, then the usual sizes, then the rest. */
export function pickTickets(products: readonly Product[], figures: Figures): ShownTicket[][] {
  const inStock = products.filter(({ status, packages }) => status === 'available' && packages.length > 0)
  return inStock.slice(0, PRODUCTS).map((product) => {
    const best = bestSellersOf(figures, product._id)
    const ranked = product.packages
      .filter(({ soldOut }) => !soldOut)
      .toSorted((one, other) => rankOf(one, best) - rankOf(other, best))
      .slice(0, EACH)
    return product.packages
      .filter((line) => ranked.includes(line))
      .map((line) => ({ product, line, rank: ranked.indexOf(line), popular: line._id === best[0] }))
  })
}

function rankOf({ _id, offer }: ProductPackage, best: readonly string[]): number {
  if (best.includes(_id)) return best.indexOf(_id)
  const usual = USUAL.indexOf(offer.replace(' ', '').toUpperCase())
  return best.length + (usual < 0 ? USUAL.length : usual)
}
