import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { Invalid } from '../../../platform/errors.ts'
import { requirePassword, requireStaff } from '../../../platform/lock-actor.ts'
import { lockRules, type Rules, updateRules } from './referrals.sql.ts'

/**
 * Changes the rules for referrals; what is not given stays. Customers who registered before keep the reward promised then.
 * @throws PasswordNeeded
 * @throws Invalid when the reward is not below what has to be bought for it.
 */
export async function changeRules(ctx: Ctx, change: Partial<Rules>): Promise<Rules> {
  return transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'owner', { movesMoney: true })
    await requirePassword(tx, ctx)
    const before = await lockRules(tx)
    const after = { ...before, ...change }
    if (after.rewardPesewas >= after.spendPesewas) {
      throw new Invalid([{ path: 'reward', message: 'The reward has to be below what the invited customer buys for it.' }])
    }
    await updateRules(tx, after)
    await recordAdminAction(tx, ctx, { action: 'referral.rules', subject: { type: 'shop', id: 'referrals' }, before, after })
    return after
  })
}
