import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'

/** The codes of an own order. Kept in memory alone. */
export function ownCheckersQuery(orderId: string) {
  return queryOptions({
    queryKey: ['checkers', orderId],
    queryFn: ({ signal }) => call('GET /order/:id/checkers', { params: { id: orderId }, signal }),
  })
}

export function sendOwnCheckers(orderId: string, by: 'sms' | 'email') {
  return call('POST /order/:id/checkers/send', { params: { id: orderId }, body: { by } })
}

export function sendGuestCheckers(reference: string, phoneNumber: string) {
  return call('POST /track/:reference/checkers/send', { params: { reference }, body: { phoneNumber }, withToken: false })
}

/** The codes of a guest's order, for who knows the number that it was bought with. */
export function openGuestCheckers(reference: string, phoneNumber: string) {
  return call('POST /track/:reference/checkers', { params: { reference }, body: { phoneNumber }, withToken: false })
}
