import type { Product, ProductPackage } from '../../../shared/products.ts'
import type { UserLevel } from '../../../shared/users.ts'
import { call } from '../../lib/api.ts'
import { readPageData } from '../../lib/page-data.ts'
import { createRemote, useRemote } from '../../lib/remote.ts'
import { createStored } from '../../lib/stored.ts'

type Shelf = readonly Product[]
type SeenShelf = { products: Shelf; at: number }

/** The shelf of an earlier visit: something to look at where there is no connection, and marked as old wherever it is shown. */
export const lastShelf = createStored<SeenShelf | null>('lastStore', null, isSeenShelf)

/** What is on the shelf, with the prices that are only compared when somebody pays. */
export const catalogue = createRemote<Shelf>({
  ask: (signal) => call('GET /product', { signal, withToken: false }),
  inPage: readPageData<Product[]>('catalogue'),
  keep: (products) => lastShelf.set({ products, at: Date.now() }),
})

export function useProducts() {
  return useRemote(catalogue)
}

/** What a buyer of that level is asked for, in cedis; a visitor is a customer to be. */
export function priceFor(line: ProductPackage, level: UserLevel = 'Customer'): number {
  return level === 'Customer' ? line.priceCustomer : line.priceAgent
}

/** A realtime change: replaces the product, adds a new one, or takes away one that is gone. */
export function applyProductChange(change: Product | { _id: string; deleted: true }): void {
  const products = catalogue.get()
  if (!products) return
  if ('deleted' in change) {
    catalogue.set(products.filter((product) => product._id !== change._id))
    return
  }
  const isKnown = products.some((product) => product._id === change._id)
  catalogue.set(isKnown ? products.map((product) => (product._id === change._id ? change : product)) : [...products, change])
}

function isSeenShelf(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { products, at } = value as Partial<SeenShelf>
  return typeof at === 'number' && Array.isArray(products) && products.every((product) => Array.isArray(product?.packages))
}
