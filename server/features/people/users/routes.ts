import type { z } from 'zod/mini'
import { hasRole, SEES_ORDERS, SEES_WALLETS, type WantedRole } from '../../../../shared/staff-rules.ts'
import { userEndpoints, type userListQuery } from '../../../../shared/users.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import type { Api } from '../../../platform/http/api.ts'
import { toPage } from '../../../platform/http/lists.ts'
import { mount } from '../../../platform/http/mount.ts'
import { changeLevel } from './change-level.ts'
import { changeStatus } from './change-status.ts'
import { presentSelf, presentUser, presentUserWithoutWallet } from './present.ts'
import { listUsersFor, readSelf } from './queries.ts'

/** `claimUpgrade` looks for a card payment of the fee that the caller's client made by itself. */
export function userRoutes(app: Api, { claimUpgrade }: { claimUpgrade: (ctx: Ctx) => Promise<void> }) {
  const list = async ({ ctx, query }: { ctx: Ctx; query: z.output<typeof userListQuery> }, seesAll: WantedRole) => {
    const { mine, in: field, ...page } = query
    const actor = requireActor(ctx)
    const withAmounts = hasRole(actor, SEES_WALLETS)
    const all = hasRole(actor, seesAll) && mine === undefined
    const wanted = { ...toPage(page), all, phoneOnly: field === 'phone', withAmounts }
    const { users, ...counted } = await listUsersFor(ctx.db, actor, wanted)
    const rows = users.map((row) => (withAmounts || row.id === actor.id ? presentUser(row) : presentUserWithoutWallet(row)))
    return { rows, ...counted }
  }

  mount(
    app,
    userEndpoints,
    {
      'GET /user': (asked) => list(asked, SEES_ORDERS),
      'GET /user/me': async ({ ctx }) => {
        const actor = requireActor(ctx)
        return presentSelf(await readSelf(ctx.db, actor.id), actor.roles)
      },
      'GET /user/account-balances': (asked) => list(asked, SEES_WALLETS),

      'PUT /user/:id/level': async ({ ctx, params, body }) => ({
        user: presentUser(await changeLevel(ctx, { userId: params.id, level: body.userLevel }, claimUpgrade)),
      }),

      'PUT /user/:id/status': async ({ ctx, params, body }) => ({
        user: presentUser(await changeStatus(ctx, { userId: params.id, status: body.status })),
      }),
    },
    { 'PUT /user/:id/level': { share: 'changes' } },
  )
}
