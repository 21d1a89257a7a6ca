import type { StaffRole } from '../../../../shared/staff-rules.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, NotFound } from '../../../platform/errors.ts'
import { requirePassword, requireStaff } from '../../../platform/lock-actor.ts'
import { deleteSecondFactor } from '../second-factor/second-factor.sql.ts'
import { updateKeysEnded } from '../sessions/keys-of-user.sql.ts'
import { deleteSessionsOfUser } from '../sessions/sessions.sql.ts'
import { announceUserById } from '../users/events.ts'
import { lockActiveAdmins, lockUser, replaceRoles, selectActiveOwners, selectRoles, updateLevel } from '../users/users.sql.ts'

/**
 * Gives somebody these roles; none lets them go, and they are a customer again. Whoever starts to work here signs in anew.
 * @throws NotFound, PasswordNeeded, 409 for the last owner or a banned user.
 */
export async function changeRoles(ctx: Ctx, { userId, roles }: { userId: string; roles: readonly StaffRole[] }): Promise<void> {
  const wanted = [...new Set(roles)].toSorted()
  const changed = await transaction(ctx.db, async (tx) => {
    await lockActiveAdmins(tx)
    await requireStaff(tx, ctx, 'owner', { movesMoney: true })
    await requirePassword(tx, ctx)
    const user = await lockUser(tx, userId)
    if (!user) throw new NotFound('user')
    if (user.status === 'Banned') throw new AppError('CONFLICT', `${user.username} is banned. Let them in again first.`)
    const before = await selectRoles(tx, userId)
    if (before.join() === wanted.join()) return false
    if (!wanted.includes('owner') && (await selectActiveOwners(tx)).every((id) => id === userId)) {
      throw new AppError('CONFLICT', 'The last owner cannot be demoted. Make somebody else an owner first.')
    }
    if (wanted.length === 0) {
      await updateLevel(tx, userId, 'Customer')
      // Or they would work again for whoever has them, once the user is an agent.
      await updateKeysEnded(tx, userId, ctx.now)
      await deleteSecondFactor(tx, userId)
    } else {
      if (user.level !== 'Admin') {
        await updateLevel(tx, userId, 'Admin')
        // A customer's session lasts a month, an admin's is short.
        await deleteSessionsOfUser(tx, userId)
      }
      await replaceRoles(tx, userId, wanted)
    }
    await recordAdminAction(tx, ctx, {
      action: 'staff.roles',
      subject: { type: 'user', id: userId },
      before: { roles: before.join(', ') },
      after: { roles: wanted.join(', ') },
    })
    return true
  })
  if (!changed) return
  await announceUserById(ctx, userId)
  // Rooms are joined on connecting.
  ctx.realtime.disconnectUser(userId)
}
