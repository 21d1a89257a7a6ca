import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AlreadyDecided, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { announceApprovals } from '../../people/approvals/events.ts'
import { SecondPersonNeeded } from '../../people/approvals/request-approval.ts'
import { requestSecondPerson } from '../../people/approvals/request-second-person.ts'
import { announceUserById } from '../../people/users/events.ts'
import { creditRecharge } from './credit-recharge.ts'
import { announceRecharge } from './events.ts'
import { lockRecharge, type RechargeRow } from './recharges.sql.ts'

/**
 * Credits a pending recharge to the requester's wallet, once. Returns the new balance in pesewas.
 * @throws NotFound, AlreadyDecided
 * @throws SecondPersonNeeded when no money moved: the others were asked, and the next of them who approves it credits it.
 */
export async function approveRecharge(ctx: Ctx, id: string): Promise<{ recharge: RechargeRow; balancePesewas: number }> {
  const approved = await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, 'finance')
    const pending = await lockRecharge(tx, id)
    if (!pending) throw new NotFound('recharge')
    if (pending.status !== 'pending') throw new AlreadyDecided('recharge', pending.status)
    const { id: rechargeId, userId, amountPesewas } = pending
    const topUp = {
      action: 'recharge.approve' as const,
      rechargeId,
      userId,
      amountPesewas,
      note: `Request ${pending.rechargeId}`,
      showNote: false,
    }
    const second = await requestSecondPerson(tx, ctx, topUp, { isSeen: false })
    if (second === 'proposed') return new SecondPersonNeeded({ isOwn: userId === admin.id })
    return creditRecharge(tx, ctx, pending, { amountPesewas, adminId: admin.id, proposedBy: second.proposedBy })
  })
  if (approved instanceof SecondPersonNeeded) {
    announceApprovals(ctx)
    throw approved
  }
  announceRecharge(ctx, approved.recharge)
  await announceUserById(ctx, approved.recharge.userId)
  return approved
}
