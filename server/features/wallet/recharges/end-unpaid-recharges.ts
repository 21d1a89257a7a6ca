import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { announceRecharge } from './events.ts'
import { lockUnpaid, updateRechargeDecision } from './recharges.sql.ts'

const DAY_MS = 86_400_000
/** How long a request of a customer waits for whom none was approved yet. */
export const UNPAID_DAYS = 7
const REASON = `No payment came within ${UNPAID_DAYS} days. If you have paid, tell us and we look for it.`

/** Declines requests that nobody paid for, so that they do not fill the owner's list. A payment that comes later reopens its request as any other. */
export async function endUnpaidRecharges(ctx: Ctx): Promise<void> {
  const ended = await transaction(ctx.db, async (tx) => {
    const unpaid = await lockUnpaid(tx, new Date(ctx.now.getTime() - UNPAID_DAYS * DAY_MS))
    for (const { id } of unpaid) {
      await updateRechargeDecision(tx, id, { status: 'declined', decidedAt: ctx.now, decidedBy: null, declineReason: REASON })
    }
    return unpaid
  })
  for (const recharge of ended) announceRecharge(ctx, { ...recharge, status: 'declined', declineReason: REASON })
}
