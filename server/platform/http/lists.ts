import { DEFAULT_PAGE_SIZE, type ListQuery, UNPAGED_LIMIT } from '../../../shared/lists.ts'
import { searchTexts } from '../../../shared/search.ts'

export type Page = { limit: number; offset: number; search: string | null }

/** The rows that a list is asked for: one page of them, or the newest 500. */
export function toPage({ page, pageSize, search }: ListQuery): Page {
  const limit = page === undefined ? UNPAGED_LIMIT : (pageSize ?? DEFAULT_PAGE_SIZE)
  return { limit, offset: page === undefined ? 0 : (page - 1) * limit, search: search?.trim() || null }
}

/** LIKE patterns of which a record must match one to be found by a search; null finds all. */
export function likePatterns(search: string | null): string[] | null {
  return search === null ? null : searchTexts(search).map(likePattern)
}

/** A text as a LIKE pattern that finds it anywhere, its own wildcards taken literally. */
export function likePattern(search: string): string {
  return `%${search.replace(/[\\%_]/g, '\\$&')}%`
}
