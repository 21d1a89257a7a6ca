import { queryOptions } from '@tanstack/react-query'
import type { TrackedOrder } from '../../../../shared/tracker.ts'
import { call } from '../../../lib/api.ts'

const UNDER_WAY_MS = 20_000
const OVER_MS = 60_000

/** An order by its link, read again while it is looked at: no news come to a guest by themselves. */
export function trackedOrderQuery(reference: string) {
  return queryOptions({
    queryKey: ['tracked-order', reference],
    queryFn: ({ signal }) => call('GET /track/:reference', { params: { reference }, signal, withToken: false }),
    meta: { public: true },
    // Not of an order that was never found.
    refetchInterval: ({ state }) => (state.data || state.status !== 'error' ? (isOver(state.data) ? OVER_MS : UNDER_WAY_MS) : false),
  })
}

function isOver(data: { order: TrackedOrder } | undefined): boolean {
  return data !== undefined && data.order.status !== 'pending'
}

export function trackOrder(sought: { reference: string; phoneNumber: string }) {
  return call('POST /track', { body: sought, withToken: false })
}

/** Sends the code of a guest's refund to the number that paid. */
export function sendRefundCode(reference: string) {
  return call('POST /shops/order/:reference/refund-code', { params: { reference }, withToken: false })
}

/** Reports a guest's order as not received. */
export function reportOrder(reference: string) {
  return call('POST /shops/order/:reference/report', { params: { reference }, body: {}, withToken: false })
}
