import { DEFAULT_PAGE_SIZE } from '../../../shared/limits.ts'
import { type ListQuery, UNPAGED_LIMIT } from '../../../shared/lists.ts'
import { searchTexts } from '../../../shared/search.ts'

export type Page = { limit: number; offset: number; search: string | null }

/** Limit and offset of the requested page; without a page, the newest 500. */
export function toPage({ page, pageSize, search }: ListQuery): Page {
  const limit = page === undefined ? UNPAGED_LIMIT : (pageSize ?? DEFAULT_PAGE_SIZE)
  return { limit, offset: page === undefined ? 0 : (page - 1) * limit, search: search?.trim() || null }
}

/** LIKE patterns of which a record must match at least one; null matches all. */
export function likePatterns(search: string | null): string[] | null {
  return search === null ? null : searchTexts(search).map(likePattern)
}

/** A LIKE pattern that finds the text anywhere, with its wildcards escaped. */
export function likePattern(search: string): string {
  return `%${search.replace(/[\\%_]/g, '\\$&')}%`
}
