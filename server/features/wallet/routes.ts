import * as z from 'zod/mini'
import { toCedis } from '../../../shared/money.ts'
import { IDEMPOTENCY_KEY_HEADER, idempotencyKey } from '../../../shared/orders.ts'
import { balanceReply, changeBalanceRequest } from '../../../shared/users.ts'
import type { Api } from '../../platform/http/api.ts'
import { changeBalance } from './change-balance.ts'

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
}
