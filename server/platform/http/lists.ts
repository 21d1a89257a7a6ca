import { DEFAULT_PAGE_SIZE, type ListQuery, UNPAGED_LIMIT } from '../../../shared/lists.ts'

export type Page = { limit: number; offset: number; search: string | null }

/** The rows that a list is asked for: one page of them, or the newest 500. */
export function toPage({ page, pageSize, search }: ListQuery): Page {
  const limit = page === undefined ? UNPAGED_LIMIT : (pageSize ?? DEFAULT_PAGE_SIZE)
  return { limit, offset: page === undefined ? 0 : (page - 1) * limit, search: search?.trim() || null }
}

/** A search text as a LIKE pattern that finds it anywhere, its own wildcards taken literally. */
export function likePattern(search: string | null): string | null {
  return search === null ? null : `%${search.replace(/[\\%_]/g, '\\$&')}%`
}
