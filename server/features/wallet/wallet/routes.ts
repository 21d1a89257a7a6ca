import { IDEMPOTENCY_KEY_HEADER } from '../../../../shared/limits.ts'
import { toCedis } from '../../../../shared/money.ts'
import { hasRole } from '../../../../shared/staff-rules.ts'
import { walletEndpoints } from '../../../../shared/wallet.ts'
import { requireActor } from '../../../platform/context.ts'
import { NotFound } from '../../../platform/errors.ts'
import type { Api } from '../../../platform/http/api.ts'
import { toPage } from '../../../platform/http/lists.ts'
import { mount } from '../../../platform/http/mount.ts'
import { selectOpenApprovals } from '../../people/approvals/approvals.sql.ts'
import { approveBalanceChange } from './approve-balance-change.ts'
import { changeBalance } from './change-balance.ts'
import { declineBalanceChange } from './decline-balance-change.ts'
import { presentApproval, presentStatementLine } from './present.ts'
import { readStatement } from './queries.ts'
import { isReservation, reserveBalance } from './reserve-balance.ts'
import { dismissShopDebits, selectShopDebits } from './shop-debits.sql.ts'

export function walletRoutes(app: Api) {
  mount(
    app,
    walletEndpoints,
    {
      'PUT /user/balance': async ({ ctx, body, headers }) => {
        const key = headers[IDEMPOTENCY_KEY_HEADER] ?? null
        if (isReservation(requireActor(ctx).id, body, key)) return { balance: toCedis(await reserveBalance(ctx, body.amount)) }
        return { balance: toCedis(await changeBalance(ctx, body, key)) }
      },

      'GET /admin/approvals': async ({ ctx }) => {
        const actor = requireActor(ctx)
        const open = await selectOpenApprovals(ctx.db, ctx.now, { isOwner: hasRole(actor, 'owner') })
        return { approvals: open.map((row) => presentApproval(row, actor.id)) }
      },

      'POST /admin/approvals/:id/approve': async ({ ctx, params, body }) => ({
        balance: toCedis(await approveBalanceChange(ctx, { id: params.id, actionHash: body.hash })),
      }),

      'POST /admin/approvals/:id/decline': async ({ ctx, params }) => {
        await declineBalanceChange(ctx, params.id)
        return { message: 'Declined. Nothing was changed.' }
      },

      'GET /wallet/statement': async ({ ctx, query }) => {
        const { lines, total } = await readStatement(ctx.db, requireActor(ctx).id, { ...toPage(query), month: query.month ?? null })
        return { rows: lines.map(presentStatementLine), total }
      },

      'GET /user/debits': async ({ ctx }) => {
        const rows = await selectShopDebits(ctx.db, requireActor(ctx).id)
        return rows.map(({ id, amountPesewas, note, createdAt }) => ({
          id,
          amount: toCedis(amountPesewas),
          note,
          at: createdAt.toISOString(),
        }))
      },

      'POST /user/debits/dismiss': async ({ ctx, body }) => {
        if (!(await dismissShopDebits(ctx.db, requireActor(ctx).id, body.id, ctx.now))) throw new NotFound('debit')
        return { message: 'Dismissed.' }
      },
    },
    // Setting money aside has a tighter limit of its own.
    { 'PUT /user/balance': { share: 'staff work' }, 'POST /user/debits/dismiss': { share: 'changes' } },
  )
}
