import * as z from 'zod/mini'
import { PAGE_SIZES } from './limits.ts'

/** Without `page`, a list holds at most this many of the newest. */
export const UNPAGED_LIMIT = 500

const PAGE = 'The page is a whole number from 1.'
const PAGE_SIZE = `The page size is one of ${PAGE_SIZES.join(', ')}.`

export const listQuery = z.object({
  page: z.optional(
    z.coerce.number({ error: PAGE }).check(z.int({ error: PAGE }), z.minimum(1, { error: PAGE }), z.maximum(1_000_000, { error: PAGE })),
  ),
  pageSize: z.optional(
    z.coerce.number({ error: PAGE_SIZE }).check(z.refine((size) => (PAGE_SIZES as readonly number[]).includes(size), { error: PAGE_SIZE })),
  ),
  search: z.optional(
    z.string().check(
      z.maxLength(100, { error: 'Search with at most 100 characters.' }),
      // PostgreSQL cannot store NUL, and an export would fail after its reply has started.
      z.refine((text) => !text.includes('\0'), { error: 'That text holds characters that cannot be searched for.' }),
    ),
  ),
})
/** For a list that cannot be searched. */
export const pageQuery = z.omit(listQuery, { search: true })

export type ListQuery = z.output<typeof listQuery>
