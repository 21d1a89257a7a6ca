import type { Product } from '../../../../shared/products.ts'
import type { UserLevel } from '../../../../shared/users.ts'
import { priceFor } from '../../catalogue/products/price-for.ts'
import type { CartItem } from './cart.ts'

export type CartChange = { id: string; kind: 'price'; before: number; now: number } | { id: string; kind: 'gone' }

/** A cart at the catalogue's current prices, and what differs from what the buyer last saw. */
export function repriceCart(items: readonly CartItem[], products: readonly Product[], level: UserLevel) {
  const changes: CartChange[] = []
  const repriced = items.map((item) => {
    const product = products.find((candidate) => candidate._id === item.productId)
    // The catalogue may list an offer twice; the price that the buyer saw decides which one was meant.
    const prices =
      product?.status === 'available'
        ? product.packages.filter((line) => line.offer === item.offer && !line.soldOut).map((line) => priceFor(line, level))
        : []
    const [first] = prices
    if (first === undefined) {
      changes.push({ id: item.id, kind: 'gone' })
      return item
    }
    if (prices.includes(item.amount)) return item
    changes.push({ id: item.id, kind: 'price', before: item.amount, now: first })
    return { ...item, amount: first }
  })
  return { items: repriced, changes }
}
