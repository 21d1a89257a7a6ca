import { recordAdminAction } from '../../platform/audit.ts'
import type { Ctx } from '../../platform/context.ts'
import { transaction } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { requirePassword, requireStaff } from '../../platform/lock-actor.ts'
import { deleteSecondFactor } from './second-factor.sql.ts'

/**
 * Switches one's own code off, with its recovery codes. Where the shop asks for one, money cannot be moved until another is on.
 * @throws PasswordNeeded, Forbidden, 409 when none is on.
 */
export async function endSecondFactor(ctx: Ctx): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const actor = await requireStaff(tx, ctx, 'staff')
    await requirePassword(tx, ctx)
    if (!(await deleteSecondFactor(tx, actor.id))) throw new AppError('CONFLICT', 'No code is on.')
    await recordAdminAction(tx, ctx, { action: 'staff.code-off', subject: { type: 'user', id: actor.id } })
  })
}
