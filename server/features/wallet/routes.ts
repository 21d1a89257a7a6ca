import * as z from 'zod/mini'
import { toCedis } from '../../../shared/money.ts'
import { IDEMPOTENCY_KEY_HEADER, idempotencyKey } from '../../../shared/orders.ts'
import { balanceReply, changeBalanceRequest, dismissDebitsRequest, messageReply, shopDebit } from '../../../shared/users.ts'
import { requireActor } from '../../platform/context.ts'
import { NotFound } from '../../platform/errors.ts'
import type { Api } from '../../platform/http/api.ts'
import { changeBalance } from './change-balance.ts'
import { dismissShopDebits, selectShopDebits } from './shop-debits.sql.ts'

export function walletRoutes(app: Api) {
  app.put(
    '/user/balance',
    {
      config: { access: 'admin' },
      schema: {
        tags: ['wallet'],
        summary: "Credit or debit a user's wallet",
        headers: z.object({ [IDEMPOTENCY_KEY_HEADER]: z.optional(idempotencyKey) }),
        body: changeBalanceRequest,
        response: { 200: balanceReply },
      },
    },
    async (request) => {
      const key = request.headers[IDEMPOTENCY_KEY_HEADER] ?? null
      return { balance: toCedis(await changeBalance(request.ctx, request.body, key)) }
    },
  )

  app.get(
    '/user/debits',
    {
      config: { access: 'signed-in' },
      schema: {
        tags: ['wallet'],
        summary: "What the shop took from one's wallet and one has not dismissed, newest first",
        response: { 200: z.array(shopDebit) },
      },
    },
    async ({ ctx }) => {
      const rows = await selectShopDebits(ctx.db, requireActor(ctx).id)
      return rows.map(({ id, amountPesewas, note, createdAt }) => ({
        id,
        amount: toCedis(amountPesewas),
        note,
        at: createdAt.toISOString(),
      }))
    },
  )

  app.post(
    '/user/debits/dismiss',
    {
      config: { access: 'signed-in' },
      schema: {
        tags: ['wallet'],
        summary: "Dismiss the explanation of the shop's debits up to one of them",
        body: dismissDebitsRequest,
        response: { 200: messageReply },
      },
    },
    async ({ ctx, body }) => {
      if (!(await dismissShopDebits(ctx.db, requireActor(ctx).id, body.id, ctx.now))) throw new NotFound('debit')
      return { message: 'Dismissed.' }
    },
  )
}
