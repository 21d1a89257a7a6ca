import { useQuery } from '@tanstack/react-query'
import type { Product } from '../../../shared/products.ts'
import { call } from '../../lib/api.ts'
import { publicQuery, queryClient, setAnnounced } from '../../lib/query-client.ts'
import { type Catalogue, catalogueInPage, rememberCatalogue } from './last-catalogue.ts'

/** The catalogue, with the prices that are only compared when somebody pays. */
const catalogueQuery = publicQuery<Catalogue>('catalogue', async (signal) => {
  const products = await call('GET /product', { signal, withToken: false })
  rememberCatalogue(products)
  return products
})

const inPage = catalogueInPage()
if (inPage) queryClient.setQueryData(catalogueQuery.queryKey, inPage.products, { updatedAt: inPage.at })

export function useProducts() {
  return useQuery(catalogueQuery)
}

export function knownProducts(): Catalogue | undefined {
  return queryClient.getQueryData(catalogueQuery.queryKey)
}

/** Reads the catalogue unless it was read a moment ago. */
export function readCatalogue(): Promise<Catalogue> {
  return queryClient.fetchQuery(catalogueQuery)
}

export function setCatalogue(products: Catalogue): void {
  setAnnounced(catalogueQuery.queryKey, products)
  rememberCatalogue(products)
}

/** Reads the catalogue again if it is on a screen, and otherwise when it next is. */
export function refreshCatalogue(): void {
  void queryClient.invalidateQueries({ queryKey: catalogueQuery.queryKey })
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
