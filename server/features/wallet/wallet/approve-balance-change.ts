import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AlreadyDecided, AppError, Forbidden, NotFound } from '../../../platform/errors.ts'
import { requirePassword, requireStaff } from '../../../platform/lock-actor.ts'
import { lockApproval, mayMoveMoney, updateDecision } from '../../people/approvals/approvals.sql.ts'
import { announceApprovals } from '../../people/approvals/events.ts'
import { refuseOwnGain } from '../../people/second-factor/refuse-own-gain.ts'
import { selectStaffRules } from '../../people/second-factor/staff-rules.sql.ts'
import { announceUserById } from '../../people/users/events.ts'
import { postBalanceChange } from './change-balance.ts'

/**
 * A second person carries out a proposed change of a balance, once. `actionHash` is what they saw. Returns the balance in pesewas.
 * @throws NotFound, AlreadyDecided, InsufficientBalance, PasswordNeeded, Forbidden for the proposer, OwnGain for whose account it credits, 409 when it expired.
 */
export async function approveBalanceChange(ctx: Ctx, { id, actionHash }: { id: string; actionHash: string }): Promise<number> {
  const { userId, balancePesewas } = await transaction(ctx.db, async (tx) => {
    const actor = await requireStaff(tx, ctx, 'finance')
    const { passwordAbovePesewas } = await selectStaffRules(tx)
    const proposed = await lockApproval(tx, id)
    if (!proposed) throw new NotFound('proposal')
    if (proposed.decision) throw new AlreadyDecided('proposal', proposed.decision)
    if (proposed.proposerId === actor.id) throw new Forbidden('Somebody else must approve what you proposed.')
    if (proposed.expiresAt <= ctx.now) throw new AppError('CONFLICT', 'That proposal is older than 24 hours. It must be made again.')
    if (proposed.actionHash !== actionHash) throw new AppError('CONFLICT', 'That is not what was proposed. Reload the page and look again.')
    if (!(await mayMoveMoney(tx, proposed.proposerId)))
      throw new AppError('CONFLICT', `${proposed.proposer} may no longer move money here.`)
    if (proposed.action === 'recharge.approve' || proposed.action === 'payment.credit')
      throw new AppError('CONFLICT', 'That is a top-up. Approve it under Money.')
    if (proposed.details.paymentId !== undefined || proposed.details.entryId !== undefined)
      throw new AppError('CONFLICT', 'That takes a credit back. Approve it in the Inbox.')
    if (proposed.action === 'prices.publish') throw new NotFound('proposal')
    const { amountPesewas } = proposed.details
    if (amountPesewas > 0) await refuseOwnGain(tx, ctx, 'finance', { users: [proposed.details.userId] })
    if (passwordAbovePesewas !== null && Math.abs(amountPesewas) > passwordAbovePesewas) await requirePassword(tx, ctx)
    const balance = await postBalanceChange(tx, ctx, {
      ...proposed.details,
      actorId: actor.id,
      entryKey: `admin-balance:approval:${id}`,
      proposedBy: proposed.proposer,
    })
    await updateDecision(tx, { id, decision: 'approved', userId: actor.id, now: ctx.now })
    return { userId: proposed.details.userId, balancePesewas: balance }
  })
  announceApprovals(ctx)
  await announceUserById(ctx, userId)
  return balancePesewas
}
