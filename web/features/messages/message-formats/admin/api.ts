import { queryOptions } from '@tanstack/react-query'
import type { FormatDraft, FormatNetwork } from '../../../../../shared/message-format-endpoints.ts'
import { call } from '../../../../lib/api.ts'
import { refreshSoon } from '../../../../lib/query-client.ts'

/** How payment messages read, and those that no form knew. */
export const formatsQuery = queryOptions({
  queryKey: ['message-formats'],
  queryFn: ({ signal }) => call('GET /message-format', { signal }),
})

export function versionsQuery(network: FormatNetwork, name: string) {
  return queryOptions({
    queryKey: ['message-formats', 'versions', network, name],
    queryFn: ({ signal }) => call('GET /message-format/versions', { query: { network, name }, signal }),
  })
}

/** What is understood of the samples of a form that is being written; asked anew as it changes. */
export function triedQuery(draft: FormatDraft) {
  return queryOptions({
    queryKey: ['message-formats', 'tried', draft],
    queryFn: ({ signal }) => call('POST /message-format/try', { body: { draft }, signal }),
    placeholderData: (before) => before,
    retry: false,
    gcTime: 0,
  })
}

/** After a change of a form, which may have credited somebody once what waited was read again. */
export function refreshFormats(): void {
  refreshSoon(['message-formats'], ['recharges'], ['stats'])
}
