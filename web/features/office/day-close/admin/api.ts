import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../../lib/api.ts'

/** A range of time as ISO times; without them the one since the last close. */
export type Asked = { from?: string; until?: string }

export const dayCloseQuery = (asked: Asked) =>
  queryOptions({
    queryKey: ['day-close', asked],
    queryFn: ({ signal }) => call('GET /admin/day-close', { query: asked, signal }),
    // The sheet is of the moment at which it was opened; it does not change while somebody types what they counted.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

export const signedCloseQuery = (id: string) =>
  queryOptions({
    queryKey: ['day-close', 'signed', id],
    queryFn: ({ signal }) => call('GET /admin/day-close/:id', { params: { id }, signal }),
  })
