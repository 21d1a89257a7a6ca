import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { requirePassword, requireStaff } from '../../../platform/lock-actor.ts'
import { lockRules, type Rules, updateRules } from './rules.sql.ts'

/**
 * Changes the rules for withdrawals; what is not given stays.
 * @throws PasswordNeeded
 */
export async function changeRules(ctx: Ctx, change: Partial<Rules>): Promise<Rules> {
  return transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'owner', { movesMoney: true })
    await requirePassword(tx, ctx)
    const before = await lockRules(tx)
    const after = { ...before, ...change }
    await updateRules(tx, after)
    await recordAdminAction(tx, ctx, { action: 'withdrawal.rules', subject: { type: 'shop', id: 'withdrawals' }, before, after })
    return after
  })
}
