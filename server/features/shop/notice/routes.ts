import { noticeEndpoints } from '../../../../shared/notice.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { changeNotice } from './change-notice.ts'
import { selectNotice } from './notice.sql.ts'

export function noticeRoutes(app: Api) {
  mount(app, noticeEndpoints, {
    'GET /extra/momo-details': ({ ctx }) => selectNotice(ctx.db),
    'PUT /extra/notice': ({ ctx, body }) => changeNotice(ctx, body),
    'PUT /extra/momo-details': ({ ctx, body }) => changeNotice(ctx, body),
  })
}
