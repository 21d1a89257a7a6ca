import type { Product } from '../../../../shared/products.ts'
import { call } from '../../../lib/api.ts'
import { createPublicData } from '../../../lib/public-data.ts'
import { type Catalogue, catalogueInPage, rememberCatalogue } from './last-catalogue.ts'

/** The catalogue, with the prices that are only compared when somebody pays. */
export const catalogue = createPublicData<Catalogue>(async () => {
  const products = await call('GET /product', { withToken: false })
  rememberCatalogue(products)
  return products
}, catalogueInPage()?.products)

export const useProducts = catalogue.use

export function knownProducts(): Catalogue | undefined {
  return catalogue.get().data
}

/** Reads the catalogue unless it was read a moment ago. @throws RefusedError, NoReplyError */
export async function readCatalogue(): Promise<void> {
  await catalogue.loadIfOld()
  const { error } = catalogue.get()
  if (error) throw error
}

export function setCatalogue(products: Catalogue): void {
  catalogue.set(products)
  rememberCatalogue(products)
}

/** Reads the catalogue again if it is on a screen, and otherwise when it next is. */
export const refreshCatalogue = catalogue.refresh

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
