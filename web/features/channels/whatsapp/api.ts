import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { refreshSoon } from '../../../lib/query-client.ts'

const WAITING_MS = 3_000

/** `waiting`: a code was shown, and the message that brings it may come at any moment. */
export function whatsappQuery(waiting: boolean) {
  return queryOptions({
    queryKey: ['whatsapp'],
    queryFn: ({ signal }) => call('GET /user/me/whatsapp', { signal }),
    refetchInterval: waiting ? WAITING_MS : false,
  })
}

export function refreshWhatsapp() {
  refreshSoon(['whatsapp'])
}
