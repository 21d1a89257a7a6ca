import * as z from 'zod/mini'
import { TOTAL_COUNT_HEADER } from '../../../shared/lists.ts'
import { toCedis } from '../../../shared/money.ts'
import {
  decideRechargeReply,
  recharge,
  rechargeListQuery,
  rechargeParams,
  rechargeReply,
  rechargeRequest,
} from '../../../shared/recharges.ts'
import { requireActor } from '../../platform/context.ts'
import type { Api } from '../../platform/http/api.ts'
import { toPage } from '../../platform/http/lists.ts'
import type { Tries } from '../../platform/tries.ts'
import { approveRecharge } from './approve-recharge.ts'
import { declineRecharge } from './decline-recharge.ts'
import { presentRecharge } from './present.ts'
import { selectRecharges } from './recharges.sql.ts'
import { requestRecharge } from './request-recharge.ts'

const tags = ['recharges']

export function rechargeRoutes(app: Api, tries: Tries) {
  app.get(
    '/recharge',
    {
      config: { access: 'signed-in' },
      schema: {
        tags,
        summary: 'Own recharge requests, newest first; an admin sees all',
        querystring: rechargeListQuery,
        response: { 200: z.array(recharge) },
      },
    },
    async (request, reply) => {
      const actor = requireActor(request.ctx)
      const { status = null, mine, ...list } = request.query
      const userId = actor.level === 'Admin' && mine === undefined ? null : actor.id
      const { recharges, total } = await selectRecharges(request.ctx.db, { ...toPage(list), userId, status })
      void reply.header(TOTAL_COUNT_HEADER, total)
      return recharges.map(presentRecharge)
    },
  )

  app.post(
    '/recharge',
    {
      // Each is looked at by a person.
      config: { access: 'signed-in', tries: { of: 'recharge', by: 'user', size: 20, everyMs: 60_000 } },
      schema: {
        tags,
        summary: 'Ask for a mobile-money payment to be put into the wallet',
        body: rechargeRequest,
        response: { 200: rechargeReply },
      },
    },
    async (request) => {
      const requested = presentRecharge(await requestRecharge(request.ctx, tries, request.body))
      return { rechargeId: requested.rechargeId, recharge: requested }
    },
  )

  app.put(
    '/recharge/:id/approve',
    {
      config: { access: 'admin' },
      schema: { tags, summary: 'Put a pending recharge into the wallet', params: rechargeParams, response: { 200: decideRechargeReply } },
    },
    async (request) => {
      const { recharge, balancePesewas } = await approveRecharge(request.ctx, request.params.id)
      return { recharge: presentRecharge(recharge), balance: toCedis(balancePesewas) }
    },
  )

  app.put(
    '/recharge/:id/decline',
    {
      config: { access: 'admin' },
      schema: { tags, summary: 'Decline a pending recharge', params: rechargeParams, response: { 200: z.object({ recharge }) } },
    },
    async (request) => ({ recharge: presentRecharge(await declineRecharge(request.ctx, request.params.id)) }),
  )
}
