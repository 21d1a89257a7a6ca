import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../../lib/api.ts'
import { refreshSoon } from '../../../../lib/query-client.ts'

const EVERY_MS = 10_000

/** Looked at again while the screen is open: the gateway's calls announce nothing to browsers. */
export const ussdQuery = queryOptions({
  queryKey: ['ussd'],
  queryFn: async ({ signal }) => {
    const [rules, settings] = await Promise.all([
      call('GET /admin/channel/:channel', { params: { channel: 'ussd' }, signal }),
      call('GET /admin/ussd', { signal }),
    ])
    return { ...rules, ...settings }
  },
  refetchInterval: EVERY_MS,
})

export function refreshUssd(): void {
  refreshSoon(['ussd'])
}
