import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, NotFound } from '../../../platform/errors.ts'
import { requirePassword, requireStaff } from '../../../platform/lock-actor.ts'
import { deleteSecondFactor } from '../second-factor/second-factor.sql.ts'
import { deleteSessionsOfUser } from '../sessions/sessions.sql.ts'
import { lockActiveAdmins, lockUser } from '../users/users.sql.ts'

/**
 * For somebody who lost their phone: their code and recovery codes stop working, and every session of theirs ends. They sign in
 * with the password and set up a new code.
 * @throws NotFound, PasswordNeeded, 409 for oneself or without a code.
 */
export async function resetCode(ctx: Ctx, userId: string): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    await lockActiveAdmins(tx)
    const owner = await requireStaff(tx, ctx, 'owner', { movesMoney: true })
    await requirePassword(tx, ctx)
    if (owner.id === userId) throw new AppError('CONFLICT', 'Switch your own code off under More, My code.')
    if (!(await lockUser(tx, userId))) throw new NotFound('user')
    if (!(await deleteSecondFactor(tx, userId))) throw new AppError('CONFLICT', 'They have no code.')
    await deleteSessionsOfUser(tx, userId)
    await recordAdminAction(tx, ctx, { action: 'staff.code-reset', subject: { type: 'user', id: userId } })
  })
  ctx.realtime.disconnectUser(userId)
}
