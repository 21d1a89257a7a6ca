import { useQuery } from '@tanstack/react-query'
import type { Notice } from '../../../shared/notice.ts'
import { call } from '../../lib/api.ts'
import { publicQuery, setAnnounced } from '../../lib/query-client.ts'

const noticeQuery = publicQuery<Notice>('notice', (signal) => call('GET /extra/momo-details', { signal, withToken: false }))

export function useNotice() {
  return useQuery(noticeQuery)
}

export function setNotice(notice: Notice): void {
  setAnnounced(noticeQuery.queryKey, notice)
}
