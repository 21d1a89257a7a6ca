import type { Notice } from '../../../../shared/notice.ts'
import { call } from '../../../lib/api.ts'
import { createPublicData } from '../../../lib/public-data.ts'

const notice = createPublicData<Notice>(() => call('GET /extra/momo-details', { withToken: false }))

export const useNotice = notice.use

export const setNotice = notice.set
