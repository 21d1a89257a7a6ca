import { queryOptions } from '@tanstack/react-query'
import { call, callList } from '../../../lib/api.ts'
import { refreshSoon } from '../../../lib/query-client.ts'

const EVERY_MS = 20_000

/** Payments that wait, beside their requests. Under the key of the recharges, so that news of one refreshes it too. */
export const matchesQuery = queryOptions({
  queryKey: ['recharges', 'matches'],
  queryFn: ({ signal }) => call('GET /received-payment/matches', { signal }),
  refetchInterval: EVERY_MS,
})

export function receivedPaymentsQuery(filter: Record<string, string | number>) {
  return queryOptions({
    queryKey: ['recharges', 'received', filter],
    queryFn: ({ signal }) => callList('GET /received-payment', { query: filter, signal }),
  })
}

/** After a write that may have credited somebody. */
export function refreshAfterCredit(): void {
  refreshSoon(['recharges'], ['users'], ['stats'], ['admin-actions'])
}
