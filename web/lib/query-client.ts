import { type Query, QueryClient, type QueryFilters } from '@tanstack/react-query'
import { RefusedError } from './http.ts'
import { wipeAtSignOut } from './session.ts'

const MINUTE_MS = 60_000

/** What the browser knows from the server and only its user sees; `public-data.ts` has what everybody sees. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // The server prerenders with this client; a timer would keep its process alive.
      gcTime: import.meta.env.SSR ? Number.POSITIVE_INFINITY : 10 * MINUTE_MS,
      // Refusals are final; only errors that may pass are retried.
      retry: (failures, error) => failures < 2 && !(error instanceof RefusedError && error.status < 500),
      retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, 8000),
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

wipeAtSignOut(() => {
  queryClient.removeQueries()
  queryClient.getMutationCache().clear()
})

type Identified = { _id: string }
type CachedList = Identified[] | { rows: Identified[]; total: number } | undefined

/**
 * Replaces the record with this `_id` in every cached list under the key, whatever its page or search. Returns whether it
 * was in any; only the server knows where a new record belongs.
 */
export function replaceInLists(key: readonly unknown[], record: Identified): boolean {
  let found = false
  const replace = (rows: Identified[]) => {
    if (!rows.some((row) => row._id === record._id)) return rows
    found = true
    return rows.map((row) => (row._id === record._id ? { ...row, ...record } : row))
  }
  queryClient.setQueriesData<CachedList>({ queryKey: key }, (cached) => {
    if (Array.isArray(cached)) return replace(cached)
    if (cached && Array.isArray(cached.rows)) return { ...cached, rows: replace(cached.rows) }
    return cached
  })
  // A reply on its way may be older than the record, and would take its place.
  if (found && queryClient.isFetching({ queryKey: key }) > 0) refreshSoon(key)
  return found
}

const due = new Set<string>()

/** Reads lists again soon, once for a burst of announcements. */
export function refreshSoon(...keys: (readonly unknown[])[]): void {
  for (const key of keys) {
    const name = JSON.stringify(key)
    if (due.has(name)) continue
    due.add(name)
    setTimeout(() => {
      due.delete(name)
      readAgain({ queryKey: key }, { isOften: true })
    }, 300)
  }
}

/** Those whose reply is awaited and will be asked for once more. */
const toRepeat = new WeakSet<Query>()
/** Those whose reply on its way was given up for a newer one, and the time of what they show since. */
const givenUp = new WeakMap<Query, number>()

/**
 * Reads what matches again, at once if it is on the screen. A first reply that is on its way may be older than what was
 * announced, and TanStack would let it stand: it is asked for once more when it has come, however often this is called meanwhile.
 * A later reply is given up for a newer one; with `isOften` once only, or nothing would come where replies are slower than news.
 */
export function readAgain(filters: QueryFilters = {}, { isOften = false } = {}): void {
  const underWay = queryClient.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })
  const awaited = underWay.filter(
    (query) => query.state.data === undefined || (isOften && givenUp.get(query) === query.state.dataUpdatedAt),
  )
  for (const query of underWay) givenUp.set(query, query.state.dataUpdatedAt)
  void queryClient.invalidateQueries({ ...filters, predicate: (query) => !awaited.includes(query) })
  for (const query of awaited) {
    if (toRepeat.has(query)) continue
    toRepeat.add(query)
    const repeat = () => void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true })
    // Joins the fetch that is under way.
    query
      .fetch()
      .finally(() => toRepeat.delete(query))
      .then(repeat, () => undefined)
  }
}
