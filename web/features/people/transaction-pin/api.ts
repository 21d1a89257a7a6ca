import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { refreshSoon } from '../../../lib/query-client.ts'

export const pinQuery = queryOptions({ queryKey: ['pin'], queryFn: ({ signal }) => call('GET /user/me/pin', { signal }) })

export function refreshPin() {
  refreshSoon(['pin'])
}

/** The end of My account's address for whoever forgot the PIN while paying. */
export const FORGOT_PIN = '#forgot-pin'
