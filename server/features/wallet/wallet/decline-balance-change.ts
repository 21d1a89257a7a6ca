import { hasRole } from '../../../../shared/staff-rules.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AlreadyDecided, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { lockApproval, updateDecision } from '../../people/approvals/approvals.sql.ts'
import { announceApprovals } from '../../people/approvals/events.ts'

/**
 * Ends a proposal without moving money; its proposer withdraws it so.
 * @throws NotFound, AlreadyDecided
 */
export async function declineBalanceChange(ctx: Ctx, id: string): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const actor = await requireStaff(tx, ctx, 'finance')
    const proposed = await lockApproval(tx, id)
    if (!proposed) throw new NotFound('proposal')
    const isPrices = proposed.action === 'prices.publish'
    if (isPrices && !hasRole(actor, 'owner') && proposed.proposerId !== actor.id) throw new NotFound('proposal')
    if (proposed.decision) throw new AlreadyDecided('proposal', proposed.decision)
    await updateDecision(tx, { id, decision: 'declined', userId: actor.id, now: ctx.now })
    await recordAdminAction(tx, ctx, {
      action: isPrices ? 'prices.declined' : 'wallet.declined',
      subject: isPrices ? { type: 'prices', id: 'catalogue' } : { type: 'user', id: proposed.details.userId },
      after: { ...(!isPrices && { amountPesewas: proposed.details.amountPesewas }), proposedBy: proposed.proposer },
    })
  })
  announceApprovals(ctx)
}
