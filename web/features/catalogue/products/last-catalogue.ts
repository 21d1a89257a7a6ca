import { useSyncExternalStore } from 'react'
import type { Product } from '../../../../shared/products.ts'
import { readPageData } from '../../../lib/page-data.ts'
import { createStored } from '../../../lib/stored.ts'

export type Catalogue = readonly Product[]
type SeenCatalogue = { products: Catalogue; at: number }

/** The catalogue as last heard, kept for the next visit, and marked as old wherever it is shown then. */
export const lastCatalogue = createStored<SeenCatalogue | null>('lastStore', null, isSeenCatalogue)

/** What the server rendered this page with, which the first render in the browser repeats. */
let rendered: SeenCatalogue | null = null
const inPage = readPageData<Product[]>('catalogue')
if (inPage) {
  rendered = { products: inPage, at: Date.now() }
  lastCatalogue.set(rendered)
}

export function useLastCatalogue(): SeenCatalogue | null {
  return useSyncExternalStore(lastCatalogue.subscribe, lastCatalogue.get, () => rendered)
}

/** The catalogue that came with the page, and when that was. */
export function catalogueInPage(): SeenCatalogue | null {
  return rendered
}

export function rememberCatalogue(products: Catalogue): void {
  const seen = { products, at: Date.now() }
  if (import.meta.env.SSR) rendered = seen
  lastCatalogue.set(seen)
}

function isSeenCatalogue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { products, at } = value as Partial<SeenCatalogue>
  return typeof at === 'number' && Array.isArray(products) && products.every((product) => Array.isArray(product?.packages))
}
