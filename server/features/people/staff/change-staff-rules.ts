import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { requirePassword, requireStaff } from '../../../platform/lock-actor.ts'
import { type StaffRules, selectStaffRules } from '../second-factor/staff-rules.sql.ts'
import { lockStaffRules, updateStaffRules } from './staff.sql.ts'

/**
 * Changes when a code, the password again or a second person is needed. Amounts in pesewas. While the shop asks for a code, only an owner who has
 * one does that.
 * @throws PasswordNeeded, SecondFactorNeeded
 */
export async function changeStaffRules(ctx: Ctx, change: Partial<StaffRules>): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'owner', { movesMoney: true })
    await requirePassword(tx, ctx)
    await lockStaffRules(tx)
    const before = await selectStaffRules(tx)
    const after = { ...before, ...change }
    await updateStaffRules(tx, after, ctx.now)
    await recordAdminAction(tx, ctx, { action: 'staff.rules', subject: { type: 'staff', id: 'rules' }, before, after })
  })
}
