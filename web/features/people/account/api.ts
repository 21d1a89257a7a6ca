import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { refreshSoon } from '../../../lib/query-client.ts'

export const accountQuery = queryOptions({ queryKey: ['account'], queryFn: ({ signal }) => call('GET /user/me/account', { signal }) })

export function refreshAccount() {
  refreshSoon(['account'])
}
