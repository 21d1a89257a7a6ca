import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../../lib/api.ts'
import { refreshSoon } from '../../../../lib/query-client.ts'

export const stockQuery = queryOptions({
  queryKey: ['checker-stock'],
  queryFn: ({ signal }) => call('GET /admin/checkers', { signal }),
  refetchInterval: 60_000,
})

export function soldQuery(orderId: string) {
  return queryOptions({
    queryKey: ['sold-checkers', orderId],
    queryFn: ({ signal }) => call('GET /admin/order/:id/checkers', { params: { id: orderId }, signal }),
  })
}

export function refreshStock() {
  refreshSoon(['checker-stock'], ['admin-actions'], ['inbox'])
}
