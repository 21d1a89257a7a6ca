import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AlreadyDecided, NotFound } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { announceRecharge } from './events.ts'
import { lockRecharge, type RechargeRow, updateSaidPaid } from './recharges.sql.ts'

/**
 * Notes that the customer says they have sent the money of their own pending recharge. It counts once: saying it again changes
 * nothing, and no money moves.
 * @throws NotFound for another user's recharge too, AlreadyDecided
 */
export async function confirmRechargeSent(ctx: Ctx, id: string): Promise<RechargeRow> {
  const { recharge, isNews } = await transaction(ctx.db, async (tx) => {
    const actor = await lockActor(tx, ctx)
    const pending = await lockRecharge(tx, id)
    if (pending?.userId !== actor.id) throw new NotFound('recharge')
    if (pending.saidPaidAt !== null) return { recharge: pending, isNews: false }
    if (pending.status !== 'pending') throw new AlreadyDecided('recharge', pending.status)
    await updateSaidPaid(tx, pending.id, ctx.now)
    return { recharge: { ...pending, saidPaidAt: ctx.now }, isNews: true }
  })
  if (isNews) announceRecharge(ctx, recharge)
  return recharge
}
