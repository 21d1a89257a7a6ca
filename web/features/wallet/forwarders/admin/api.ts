import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../../lib/api.ts'
import { refreshSoon } from '../../../../lib/query-client.ts'

const EVERY_MS = 10_000

/** The phones that send messages on; looked at again while the screen is open, since a phone announces nothing to browsers. */
export const forwardersQuery = queryOptions({
  queryKey: ['forwarders'],
  queryFn: ({ signal }) => call('GET /forwarder', { signal }),
  refetchInterval: EVERY_MS,
})

export function forwardedMessagesQuery(id: string) {
  return queryOptions({
    queryKey: ['forwarders', 'messages', id],
    queryFn: ({ signal }) => call('GET /forwarder/:id/messages', { params: { id }, signal }),
    refetchInterval: EVERY_MS,
  })
}

/** After a change of a phone, which may have credited somebody. */
export function refreshPhones(): void {
  refreshSoon(['forwarders'], ['recharges'], ['stats'])
}
