import type { z } from 'zod/mini'
import { userEndpoints, type userListQuery } from '../../../shared/users.ts'
import { type Ctx, requireActor } from '../../platform/context.ts'
import type { Api } from '../../platform/http/api.ts'
import { toPage } from '../../platform/http/lists.ts'
import { mount } from '../../platform/http/mount.ts'
import { changeLevel } from './change-level.ts'
import { changeStatus } from './change-status.ts'
import { presentUser } from './present.ts'
import { listUsersFor, readSelf } from './queries.ts'

export function userRoutes(app: Api) {
  const list = async ({ ctx, query }: { ctx: Ctx; query: z.output<typeof userListQuery> }) => {
    const { mine, in: field, ...page } = query
    const wanted = { ...toPage(page), mine: mine !== undefined, phoneOnly: field === 'phone' }
    const { users, total } = await listUsersFor(ctx.db, requireActor(ctx), wanted)
    return { rows: users.map(presentUser), total }
  }

  mount(app, userEndpoints, {
    'GET /user': list,
    'GET /user/me': async ({ ctx }) => presentUser(await readSelf(ctx.db, requireActor(ctx).id)),
    'GET /user/account-balances': list,

    'PUT /user/:id/level': async ({ ctx, params, body }) => ({
      user: presentUser(await changeLevel(ctx, { userId: params.id, level: body.userLevel })),
    }),

    'PUT /user/:id/status': async ({ ctx, params, body }) => ({
      user: presentUser(await changeStatus(ctx, { userId: params.id, status: body.status })),
    }),
  })
}
