import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../../lib/api.ts'

export const statsQuery = queryOptions({
  queryKey: ['stats'],
  queryFn: ({ signal }) => call('GET /order/stats', { signal }),
})
