import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError } from '../../../platform/errors.ts'
import { requirePassword, requireStaff } from '../../../platform/lock-actor.ts'
import type { CodeChecks } from './check-code.ts'
import { requireOwnCode } from './require-own-code.ts'
import { deleteSecondFactor } from './second-factor.sql.ts'

/**
 * Switches one's own code off, with its recovery codes, by a code. Where the shop asks for one, money cannot be moved until another is on.
 * @throws what `requireOwnCode` throws; PasswordNeeded, Forbidden.
 */
export async function endSecondFactor(ctx: Ctx, checks: CodeChecks, code: string): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const actor = await requireStaff(tx, ctx, 'staff')
    await requirePassword(tx, ctx)
    await requireOwnCode(tx, ctx, checks, code)
    if (!(await deleteSecondFactor(tx, actor.id))) throw new AppError('CONFLICT', 'No code is on.')
    await recordAdminAction(tx, ctx, { action: 'staff.code-off', subject: { type: 'user', id: actor.id } })
  })
}
