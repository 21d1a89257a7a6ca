import { toCedis, toPesewas } from '../../../shared/money.ts'
import type { Product, SaveProductRequest } from '../../../shared/products.ts'
import { imageAddress } from './encode-image.ts'
import type { ProductRow } from './products.sql.ts'

export function presentProduct(row: ProductRow): Product {
  return {
    _id: row.id,
    productId: String(row.seq),
    network: row.network,
    image: imageAddress(row.imageHash),
    status: row.status,
    packages: row.packages.map((line) => ({
      _id: line.id,
      offer: line.offer,
      priceCustomer: toCedis(line.priceCustomerPesewas),
      priceAgent: toCedis(line.priceAgentPesewas),
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
