import { queryOptions } from '@tanstack/react-query'
import type { ReceivedPayment } from '../../../../../shared/received-payments.ts'
import { aboutReply } from '../../../../lib/about-record.ts'
import { call, callList } from '../../../../lib/api.ts'
import { refreshSoon } from '../../../../lib/query-client.ts'
import type { Subject } from '../../../../lib/subject.ts'

const EVERY_MS = 20_000

/** Payments that wait, beside their requests. Under "stats", since every announcement about a recharge refreshes that. */
export const matchesQuery = queryOptions({
  queryKey: ['stats', 'matches'],
  queryFn: ({ signal }) => call('GET /received-payment/matches', { signal }),
  refetchInterval: EVERY_MS,
})

export function receivedPaymentsQuery(filter: Record<string, string | number>) {
  return queryOptions({
    queryKey: ['recharges', 'received', filter],
    queryFn: ({ signal }) => callList('GET /received-payment', { query: filter, signal }),
  })
}

/** They wait as they did, for the same requests and claims; or, of credited ones, nobody has settled the question about them. */
export function aboutPayments(...payments: readonly Pick<ReceivedPayment, '_id'>[]): Subject {
  const ids = new Set(payments.map(({ _id }) => _id))
  return aboutReply(matchesQuery, ({ certain, doubtful, unmatched, kept, questioned }) => [
    ...[...certain, ...doubtful, ...unmatched, ...kept]
      .filter(({ payment }) => ids.has(payment._id))
      .map(({ payment, request, does, claims }) => [payment._id, request?._id, request?.status, does, claims.map(({ user }) => user._id)])
      .toSorted(([one], [other]) => String(one).localeCompare(String(other))),
    ...questioned.filter(({ payment }) => ids.has(payment._id)).map(({ payment }) => payment._id),
  ])
}

/** After a write that may have credited somebody. */
export function refreshAfterCredit(): void {
  refreshSoon(['recharges'], ['users'], ['stats'], ['admin-actions'])
}
