import type { Ctx } from '../../platform/context.ts'
import { transaction } from '../../platform/db.ts'
import { AlreadyDecided, NotFound } from '../../platform/errors.ts'
import { requireStaff } from '../../platform/lock-actor.ts'
import { announceUserById } from '../users/events.ts'
import { creditRecharge } from './credit-recharge.ts'
import { announceRecharge } from './events.ts'
import { lockRecharge, type RechargeRow } from './recharges.sql.ts'

/**
 * Credits a pending recharge to the requester's wallet, once. Returns the new balance in pesewas.
 * @throws NotFound, AlreadyDecided
 */
export async function approveRecharge(ctx: Ctx, id: string): Promise<{ recharge: RechargeRow; balancePesewas: number }> {
  const approved = await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, 'finance')
    const pending = await lockRecharge(tx, id)
    if (!pending) throw new NotFound('recharge')
    if (pending.status !== 'pending') throw new AlreadyDecided('recharge', pending.status)
    return creditRecharge(tx, ctx, pending, { amountPesewas: pending.amountPesewas, adminId: admin.id })
  })
  announceRecharge(ctx, approved.recharge)
  await announceUserById(ctx, approved.recharge.userId)
  return approved
}
