import type { OwnChecker } from '../../../../shared/checkers.ts'
import { ANSWERS_REPORTS } from '../../../../shared/staff-rules.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import type { Vault } from '../../../platform/vault.ts'
import { findOrderId } from '../orders/queries.ts'
import { readCheckersOf } from './queries.ts'

/**
 * Shows staff the codes of an order, and records who looked, in which role and why, in the same transaction.
 * @throws NotFound for an order without codes
 */
export async function revealCheckers(
  ctx: Ctx,
  vault: Vault | null,
  { named, reason }: { named: string; reason: string },
): Promise<OwnChecker[]> {
  const orderId = await findOrderId(ctx, named)
  return transaction(ctx.db, async (tx) => {
    const { roles } = await requireStaff(tx, ctx, ANSWERS_REPORTS)
    const checkers = await readCheckersOf(tx, vault, orderId)
    if (checkers.length === 0) throw new NotFound('checker')
    await recordAdminAction(tx, ctx, {
      action: 'checkers.revealed',
      subject: { type: 'order', id: orderId },
      after: { roles, codes: checkers.length },
      note: reason,
    })
    return checkers
  })
}
