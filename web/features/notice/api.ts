import type { Notice } from '../../../shared/notice.ts'
import { request } from '../../lib/http.ts'
import { createRemote, useRemote } from '../../lib/remote.ts'

export const notice = createRemote<Notice>({
  ask: (signal) => request<Notice>('GET', '/extra/momo-details', { signal, withToken: false }),
})

export function useNotice() {
  return useRemote(notice)
}
