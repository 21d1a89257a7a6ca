import { toCedis } from '../../../../shared/money.ts'
import { rechargeEndpoints } from '../../../../shared/recharges.ts'
import { hasRole, SEES_WALLETS } from '../../../../shared/staff-rules.ts'
import { requireActor } from '../../../platform/context.ts'
import type { Api } from '../../../platform/http/api.ts'
import { toPage } from '../../../platform/http/lists.ts'
import { mount } from '../../../platform/http/mount.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import { approveRecharge } from './approve-recharge.ts'
import { confirmRechargeSent } from './confirm-recharge-sent.ts'
import { declineRecharge } from './decline-recharge.ts'
import { presentRecharge } from './present.ts'
import { selectRecharges } from './recharges.sql.ts'
import { reopenRecharge } from './reopen-recharge.ts'
import { requestRecharge } from './request-recharge.ts'

export function rechargeRoutes(app: Api, limiter: RateLimiter) {
  mount(
    app,
    rechargeEndpoints,
    {
      'GET /recharge': async ({ ctx, query: { status = null, mine, ...list } }) => {
        const actor = requireActor(ctx)
        const userId = hasRole(actor, SEES_WALLETS) && mine === undefined ? null : actor.id
        const { recharges, total } = await selectRecharges(ctx.db, { ...toPage(list), userId, status })
        return { rows: recharges.map(presentRecharge), total }
      },

      'POST /recharge': async ({ ctx, body }) => {
        const recharge = presentRecharge(await requestRecharge(ctx, limiter, body))
        return { rechargeId: recharge.rechargeId, recharge }
      },

      'PUT /recharge/:id/approve': async ({ ctx, params }) => {
        const { recharge, balancePesewas } = await approveRecharge(ctx, params.id)
        return { recharge: presentRecharge(recharge), balance: toCedis(balancePesewas) }
      },

      'PUT /recharge/:id/decline': async ({ ctx, params, body }) => ({
        recharge: presentRecharge(await declineRecharge(ctx, params.id, body?.reason)),
      }),

      'PUT /recharge/:id/reopen': async ({ ctx, params }) => ({ recharge: presentRecharge(await reopenRecharge(ctx, params.id)) }),
      'PUT /recharge/:id/paid': async ({ ctx, params }) => ({ recharge: presentRecharge(await confirmRechargeSent(ctx, params.id)) }),
    },
    { 'PUT /recharge/:id/paid': { share: 'changes' }, 'POST /recharge': { share: 'recharge' } },
  )
}
