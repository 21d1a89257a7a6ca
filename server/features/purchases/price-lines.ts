import type { UserLevel } from '../../../shared/users.ts'
import type { Queryable } from '../../platform/db.ts'
import { selectProducts } from '../products/products.sql.ts'
import type { PurchaseLine, RefusedLine } from './purchases.sql.ts'
import { refuseLines } from './refuse-lines.ts'

/**
 * The total of a cart in pesewas at the server's prices, for a payment that is yet to come.
 * @throws 409 naming each line that is not on the shelf, or not at the price that the buyer saw.
 */
export async function priceLines(db: Queryable, level: UserLevel, lines: PurchaseLine[]): Promise<number> {
  const products = new Map((await selectProducts(db)).map((product) => [product.id, product]))
  const refused: RefusedLine[] = []
  let totalPesewas = 0
  lines.forEach((line, index) => {
    const product = products.get(line.product ?? '')
    const found = product?.status === 'available' ? product.packages.find((offered) => offered.offer === line.offer) : undefined
    if (!product || !found) {
      refused.push({ index, code: 'NOT_AVAILABLE', offer: line.offer, network: product?.network ?? null })
      return
    }
    const pricePesewas = level === 'Customer' ? found.priceCustomerPesewas : found.priceAgentPesewas
    if (pricePesewas !== line.seen)
      refused.push({ index, code: 'PRICE_CHANGED', offer: line.offer, network: product.network, pricePesewas })
    totalPesewas += pricePesewas
  })
  const [first, ...others] = refused
  if (first) throw refuseLines([first, ...others])
  return totalPesewas
}
