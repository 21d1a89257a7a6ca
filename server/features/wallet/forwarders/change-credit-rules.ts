import type { CreditRules } from '../../../../shared/forwarders.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { requirePassword, requireStaff } from '../../../platform/lock-actor.ts'
import { lockCreditRules, updateCreditRules } from '../received-payments/credit-rules.sql.ts'
import { presentRules, toRules } from './present.ts'

type Change = { [Rule in keyof CreditRules]?: CreditRules[Rule] | undefined }

/**
 * Changes what is credited without a person; what is not given stays.
 * @throws PasswordNeeded
 */
export function changeCreditRules(ctx: Ctx, change: Change): Promise<CreditRules> {
  return transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'owner', { movesMoney: true })
    await requirePassword(tx, ctx)
    const before = presentRules(await lockCreditRules(tx))
    const after = { ...before, ...change } as CreditRules
    await updateCreditRules(tx, toRules(after))
    await recordAdminAction(tx, ctx, { action: 'forwarder.rules', subject: { type: 'shop', id: 'credits' }, before, after })
    return after
  })
}
