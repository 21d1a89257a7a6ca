import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { AlreadyDecided, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { announceRecharge } from './events.ts'
import { lockRecharge, type RechargeRow, updateReopened } from './recharges.sql.ts'

/**
 * Makes a wrongly declined recharge pending again, so that it can be approved. The customer sees it at once; no money moves.
 * @throws NotFound, AlreadyDecided when it is pending or approved.
 */
export async function reopenRecharge(ctx: Ctx, id: string): Promise<RechargeRow> {
  const reopened = await transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'finance')
    const declined = await lockRecharge(tx, id)
    if (!declined) throw new NotFound('recharge')
    if (declined.status !== 'declined') throw new AlreadyDecided('recharge', declined.status)
    return reopenLocked(tx, ctx, declined)
  })
  announceRecharge(ctx, reopened)
  return reopened
}

/** The same for a locked recharge, within the caller's transaction. */
export async function reopenLocked(tx: Tx, ctx: Ctx, declined: RechargeRow): Promise<RechargeRow> {
  await updateReopened(tx, declined.id, ctx.now)
  await recordAdminAction(tx, ctx, {
    action: 'recharge.reopen',
    subject: { type: 'recharge', id: declined.rechargeId },
    before: { status: 'declined' },
    after: { status: 'pending' },
    note: declined.declineReason ?? '',
  })
  return { ...declined, status: 'pending', declineReason: null }
}
