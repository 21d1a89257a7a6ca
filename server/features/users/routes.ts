import * as z from 'zod/mini'
import { TOTAL_COUNT_HEADER } from '../../../shared/lists.ts'
import { idParam } from '../../../shared/params.ts'
import { changeLevelRequest, changeStatusRequest, user, userListQuery, userReply } from '../../../shared/users.ts'
import { requireActor } from '../../platform/context.ts'
import type { Api } from '../../platform/http/api.ts'
import { toPage } from '../../platform/http/lists.ts'
import { changeLevel } from './change-level.ts'
import { changeStatus } from './change-status.ts'
import { presentUser } from './present.ts'
import { listUsersFor } from './queries.ts'

export function userRoutes(app: Api) {
  // The spec's client asks two addresses for the same records: users, and users with their balances.
  for (const path of ['/user', '/user/account-balances']) {
    app.get(
      path,
      {
        config: { access: 'signed-in' },
        schema: {
          tags: ['users'],
          summary: 'Oneself; an admin sees all users',
          querystring: userListQuery,
          response: { 200: z.array(user) },
        },
      },
      async (request, reply) => {
        const { mine, in: field, ...list } = request.query
        const wanted = { ...toPage(list), mine: mine !== undefined, phoneOnly: field === 'phone' }
        const { users, total } = await listUsersFor(request.ctx.db, requireActor(request.ctx), wanted)
        void reply.header(TOTAL_COUNT_HEADER, total)
        return users.map(presentUser)
      },
    )
  }

  app.put(
    '/user/:id/level',
    {
      config: { access: 'signed-in' },
      schema: {
        tags: ['users'],
        summary: "Set a user's level; oneself to Agent once the fee is paid",
        params: idParam('user'),
        body: changeLevelRequest,
        response: { 200: userReply },
      },
    },
    async (request) => {
      const changed = await changeLevel(request.ctx, { userId: request.params.id, level: request.body.userLevel })
      return { user: presentUser(changed) }
    },
  )

  app.put(
    '/user/:id/status',
    {
      config: { access: 'admin' },
      schema: {
        tags: ['users'],
        summary: 'Ban a user, or let them in again',
        params: idParam('user'),
        body: changeStatusRequest,
        response: { 200: userReply },
      },
    },
    async (request) => {
      const changed = await changeStatus(request.ctx, { userId: request.params.id, status: request.body.status })
      return { user: presentUser(changed) }
    },
  )
}
