import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { InsightQuery } from '../../../../../shared/insight.ts'
import { call } from '../../../../lib/api.ts'

const EVERY_MS = 60_000

export function insightQuery(query: InsightQuery) {
  return queryOptions({
    queryKey: ['insight', query],
    queryFn: ({ signal }) => call('GET /admin/insight', { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  })
}
