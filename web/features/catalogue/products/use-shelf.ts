import { useCallback, useEffect, useState } from 'react'
import { type Catalogue, lastCatalogue, useLastCatalogue } from './last-catalogue.ts'

/** Older prices are read again at once, and much older ones are shown as such until then. */
const STALE_MS = 30_000
const OLD_MS = 5 * 60_000

type Shelf = {
  products: Catalogue | undefined
  /** When these prices were heard, if that is long ago. */
  seenAt: number | null
  error: Error | null
  retry: () => void
}

/** The catalogue for a screen that only shows it. What keeps it current is downloaded only when the page came without it. */
export function useShelf(): Shelf {
  const seen = useLastCatalogue()
  const [error, setError] = useState<Error | null>(null)
  const read = useCallback(() => {
    setError(null)
    import('./api.ts').then(({ readCatalogue }) => readCatalogue()).catch(setError)
  }, [])
  useEffect(() => {
    if (ageOf(lastCatalogue.get()) > STALE_MS) read()
  }, [read])
  return { products: seen?.products, seenAt: seen && ageOf(seen) > OLD_MS ? seen.at : null, error, retry: read }
}

function ageOf(seen: { at: number } | null): number {
  return seen ? Date.now() - seen.at : Number.POSITIVE_INFINITY
}
