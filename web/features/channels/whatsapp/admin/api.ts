import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../../lib/api.ts'
import { refreshSoon } from '../../../../lib/query-client.ts'

const EVERY_MS = 5_000

/** Looked at again while the screen is open: what became of messages announces itself to nobody. */
export const adminWhatsappQuery = queryOptions({
  queryKey: ['admin-whatsapp'],
  queryFn: ({ signal }) => call('GET /admin/whatsapp', { signal }),
  refetchInterval: EVERY_MS,
})

/** Whether customers can buy in a chat, and for how much. */
export const whatsappRulesQuery = queryOptions({
  queryKey: ['whatsapp-rules'],
  queryFn: ({ signal }) => call('GET /admin/channel/:channel', { params: { channel: 'whatsapp' }, signal }),
})

export function refreshAdminWhatsapp() {
  refreshSoon(['admin-whatsapp'], ['whatsapp-rules'])
}
