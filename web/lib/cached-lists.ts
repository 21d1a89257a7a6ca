import type { QueryClient } from '@tanstack/react-query'

type Rec = { _id: string }
type Cached = Rec[] | { rows: Rec[]; total: number } | undefined

/**
 * Puts a newer record in the place of the one with its `_id` in every cached list under a key, whatever its page or search.
 * Answers whether it was in any; a record that is new belongs where only the server knows.
 */
export function replaceInLists(client: QueryClient, key: readonly unknown[], record: Rec): boolean {
  let found = false
  const swap = (rows: Rec[]) => {
    if (!rows.some((row) => row._id === record._id)) return rows
    found = true
    return rows.map((row) => (row._id === record._id ? { ...row, ...record } : row))
  }
  client.setQueriesData<Cached>({ queryKey: key }, (cached) => {
    if (Array.isArray(cached)) return swap(cached)
    if (cached && Array.isArray(cached.rows)) return { ...cached, rows: swap(cached.rows) }
    return cached
  })
  return found
}

const due = new Set<string>()

/** Reads lists again soon, once for a burst of announcements. */
export function refreshSoon(client: QueryClient, ...keys: (readonly unknown[])[]): void {
  for (const key of keys) {
    const name = JSON.stringify(key)
    if (due.has(name)) continue
    due.add(name)
    setTimeout(() => {
      due.delete(name)
      void client.invalidateQueries({ queryKey: key })
    }, 300)
  }
}
