import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Notice } from '../../../shared/notice.ts'
import { request } from '../../lib/http.ts'

export const noticeQuery = queryOptions({
  queryKey: ['notice'],
  queryFn: ({ signal }) => request<Notice>('GET', '/extra/momo-details', { signal, withToken: false }),
})

export function useNotice() {
  return useQuery(noticeQuery)
}
