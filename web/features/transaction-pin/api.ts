import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { refreshSoon } from '../../lib/query-client.ts'

export const pinQuery = queryOptions({ queryKey: ['pin'], queryFn: ({ signal }) => call('GET /user/me/pin', { signal }) })

export function refreshPin() {
  refreshSoon(['pin'])
}
