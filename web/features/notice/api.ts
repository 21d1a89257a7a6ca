import type { Notice } from '../../../shared/notice.ts'
import { call } from '../../lib/api.ts'
import { createRemote, useRemote } from '../../lib/remote.ts'

export const notice = createRemote<Notice>({
  ask: (signal) => call('GET /extra/momo-details', { signal, withToken: false }),
})

export function useNotice() {
  return useRemote(notice)
}
