import { toPesewas } from '../../../../shared/money.ts'
import { MOST_COSTS_SET, type RecordCostsRequest } from '../../../../shared/profit.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { recordUncosted } from './profit.sql.ts'

/**
 * Says what delivered orders of a package have cost, for those whose cost was not known: the oldest 500 first. Each is booked once and
 * keeps its cost then.
 * @throws NotFound when no such order is left
 */
export async function recordCosts(ctx: Ctx, { cost, ...of }: RecordCostsRequest): Promise<{ orders: number; left: number }> {
  const costPesewas = toPesewas(cost)
  return transaction(ctx.db, async (tx) => {
    const { id: actorId } = await requireStaff(tx, ctx, 'finance')
    const recorded = await recordUncosted(tx, of, { costPesewas, actorId, now: ctx.now, limit: MOST_COSTS_SET })
    if (recorded.orders === 0) throw new NotFound('order without a cost')
    await recordAdminAction(tx, ctx, {
      action: 'costs.record',
      subject: { type: 'costs', id: of.productId },
      before: { costPesewas: null },
      after: { costPesewas, offer: of.offer, supplier: of.supplier, orders: recorded.orders },
    })
    return recorded
  })
}
