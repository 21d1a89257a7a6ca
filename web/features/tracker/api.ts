import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'

/** An order by its link, read again each minute while it is looked at. */
export function trackedOrderQuery(reference: string) {
  return queryOptions({
    queryKey: ['tracked-order', reference],
    queryFn: ({ signal }) => call('GET /track/:reference', { params: { reference }, signal, withToken: false }),
    meta: { public: true },
    refetchInterval: 60_000,
  })
}

export function trackOrder(sought: { reference: string; phoneNumber: string }) {
  return call('POST /track', { body: sought, withToken: false })
}
