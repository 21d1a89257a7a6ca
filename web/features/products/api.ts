import { useQuery } from '@tanstack/react-query'
import type { Product, ProductPackage } from '../../../shared/products.ts'
import type { UserLevel } from '../../../shared/users.ts'
import { call } from '../../lib/api.ts'
import { readPageData } from '../../lib/page-data.ts'
import { publicQuery, queryClient, setAnnounced } from '../../lib/query-client.ts'
import { createStored } from '../../lib/stored.ts'

type Catalogue = readonly Product[]
type SeenCatalogue = { products: Catalogue; at: number }

/** The catalogue of an earlier visit, shown while there is no connection, and marked as old wherever it is shown. */
export const lastCatalogue = createStored<SeenCatalogue | null>('lastStore', null, isSeenCatalogue)

/** The catalogue, with the prices that are only compared when somebody pays. */
const catalogueQuery = publicQuery<Catalogue>('catalogue', async (signal) => {
  const products = await call('GET /product', { signal, withToken: false })
  remember(products)
  return products
})

const inPage = readPageData<Product[]>('catalogue')
if (inPage) setCatalogue(inPage)

export function useProducts() {
  return useQuery(catalogueQuery)
}

export function knownProducts(): Catalogue | undefined {
  return queryClient.getQueryData(catalogueQuery.queryKey)
}

export function setCatalogue(products: Catalogue): void {
  setAnnounced(catalogueQuery.queryKey, products)
  remember(products)
}

/** Reads the catalogue again if it is on a screen, and otherwise when it next is. */
export function refreshCatalogue(): void {
  void queryClient.invalidateQueries({ queryKey: catalogueQuery.queryKey })
}

function remember(products: Catalogue): void {
  lastCatalogue.set({ products, at: Date.now() })
}

/** The price for that level, in cedis; visitors see the customer price. */
export function priceFor(line: ProductPackage, level: UserLevel = 'Customer'): number {
  return level === 'Customer' ? line.priceCustomer : line.priceAgent
}

/** A realtime change: replaces the product, adds a new one, or takes away one that is gone. */
export function applyProductChange(change: Product | { _id: string; deleted: true }): void {
  const products = knownProducts()
  if (!products) return
  if ('deleted' in change) {
    setCatalogue(products.filter((product) => product._id !== change._id))
    return
  }
  const isKnown = products.some((product) => product._id === change._id)
  setCatalogue(isKnown ? products.map((product) => (product._id === change._id ? change : product)) : [...products, change])
}

function isSeenCatalogue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { products, at } = value as Partial<SeenCatalogue>
  return typeof at === 'number' && Array.isArray(products) && products.every((product) => Array.isArray(product?.packages))
}
