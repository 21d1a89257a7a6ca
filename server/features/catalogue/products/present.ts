import { toCedis, toPesewas } from '../../../../shared/money.ts'
import type { Product, SaveProductRequest } from '../../../../shared/products.ts'
import { imageAddress } from '../../shop/images/encode-image.ts'
import type { ProductRow } from './products.sql.ts'

/** A product as everyone sees it: without hidden packages, and out of stock when no other is left. */
export function presentProduct(row: ProductRow): Product {
  const shown = row.packages.filter(({ hidden }) => !hidden)
  return {
    _id: row.id,
    productId: String(row.seq),
    network: row.network,
    image: imageAddress(row.imageHash),
    status: shown.every(({ soldOut }) => soldOut) ? 'out of stock' : row.status,
    packages: shown.map((line) => ({
      _id: line.id,
      offer: line.offer,
      priceCustomer: toCedis(line.priceCustomerPesewas),
      priceAgent: toCedis(line.priceAgentPesewas),
      ...(line.soldOut ? { soldOut: true as const } : {}),
    })),
  }
}

/** The packages of a request, with prices in pesewas. */
export function toPackages({ packages }: SaveProductRequest) {
  return packages.map(({ offer, priceCustomer, priceAgent }) => ({
    offer,
    priceCustomerPesewas: toPesewas(priceCustomer),
    priceAgentPesewas: toPesewas(priceAgent),
  }))
}
