import { activityEndpoints } from '../../../../shared/admin-actions.ts'
import type { Api } from '../../../platform/http/api.ts'
import { toPage } from '../../../platform/http/lists.ts'
import { mount } from '../../../platform/http/mount.ts'
import { selectAdminActions } from './activity.sql.ts'
import { presentAdminAction } from './present.ts'

export function adminActionRoutes(app: Api) {
  mount(app, activityEndpoints, {
    'GET /admin/actions': async ({ ctx, query: { from = null, to = null, ...list } }) => {
      const { actions, total } = await selectAdminActions(ctx.db, { ...toPage(list), from, to })
      return { rows: actions.map(presentAdminAction), total }
    },
  })
}
