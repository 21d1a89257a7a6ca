import { formatPesewas } from '../../../shared/money.ts'
import type { Product } from '../../../shared/products.ts'
import type { ApiOrderRow } from './developer-api.sql.ts'

/** Amounts are text with two decimals, so that no client rounds them. */
export function presentApiOrder({ seq, network, offer, receiver, pricePesewas, status, createdAt }: ApiOrderRow) {
  return { id: `ord_${seq}`, status, network, offer, receiver, price: formatPesewas(pricePesewas), created_at: createdAt.toISOString() }
}

/** What can be bought now, at the agent's price. */
export function presentOffers(products: Product[]) {
  return products
    .filter(({ status }) => status === 'available')
    .flatMap(({ network, packages }) => packages.map(({ offer, priceAgent }) => ({ network, offer, price: priceAgent.toFixed(2) })))
}
