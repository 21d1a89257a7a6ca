import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { Product, ProductPackage } from '../../../shared/products.ts'
import type { UserLevel } from '../../../shared/users.ts'
import { request } from '../../lib/http.ts'

export const productsQuery = queryOptions({
  queryKey: ['products'],
  queryFn: ({ signal }) => request<Product[]>('GET', '/product', { signal, withToken: false }),
})

export function useProducts() {
  return useQuery(productsQuery)
}

/** What a buyer of that level is asked for, in cedis; a visitor is a customer to be. */
export function priceFor(line: ProductPackage, level: UserLevel = 'Customer'): number {
  return level === 'Customer' ? line.priceCustomer : line.priceAgent
}

/** A realtime change: replaces the product, adds a new one, or takes away one that is gone. */
export function applyProductChange(client: QueryClient, change: Product | { _id: string; deleted: true }): void {
  client.setQueryData(productsQuery.queryKey, (products) => {
    if (!products) return products
    if ('deleted' in change) return products.filter((product) => product._id !== change._id)
    return products.some((product) => product._id === change._id)
      ? products.map((product) => (product._id === change._id ? change : product))
      : [...products, change]
  })
}
