import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AlreadyDecided, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { announceRecharge } from './events.ts'
import { lockRecharge, type RechargeRow, updateRechargeDecision } from './recharges.sql.ts'

/**
 * Declines a pending recharge, once, with a reason for the customer or none; no money moves.
 * @throws NotFound, AlreadyDecided
 */
export async function declineRecharge(ctx: Ctx, id: string, reason = ''): Promise<RechargeRow> {
  const declineReason = reason || null
  const declined = await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, 'finance')
    const pending = await lockRecharge(tx, id)
    if (!pending) throw new NotFound('recharge')
    if (pending.status !== 'pending') throw new AlreadyDecided('recharge', pending.status)
    await updateRechargeDecision(tx, pending.id, { status: 'declined', decidedAt: ctx.now, decidedBy: admin.id, declineReason })
    await recordAdminAction(tx, ctx, {
      action: 'recharge.decline',
      subject: { type: 'recharge', id: pending.rechargeId },
      before: { status: 'pending' },
      after: { status: 'declined' },
      note: reason,
    })
    return { ...pending, status: 'declined' as const, declineReason }
  })
  announceRecharge(ctx, declined)
  return declined
}
