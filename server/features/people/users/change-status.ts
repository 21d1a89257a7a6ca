import { hasRole } from '../../../../shared/staff-rules.ts'
import type { UserStatus } from '../../../../shared/users.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, Forbidden, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { deleteSessionsOfUser } from '../sessions/sessions.sql.ts'
import { announceUser } from './events.ts'
import { lockActiveAdmins, lockUser, selectUser, type UserRow, updateStatus } from './users.sql.ts'

/**
 * Bans a user, ending their sessions and sockets at once, or lifts the ban.
 * @throws NotFound, 409
 */
export async function changeStatus(ctx: Ctx, { userId, status }: { userId: string; status: UserStatus }): Promise<UserRow> {
  const user = await transaction(ctx.db, async (tx) => {
    // Two admins banning each other: the second one's session has ended by then.
    await lockActiveAdmins(tx)
    const admin = await requireStaff(tx, ctx, 'support')
    if (userId === admin.id && status === 'Banned') throw new AppError('CONFLICT', 'You cannot ban yourself.')
    const before = await lockUser(tx, userId)
    if (!before) throw new NotFound('user')
    if (before.level === 'Admin' && !hasRole(admin, 'owner')) throw new Forbidden('Only an owner can ban somebody who works here.')
    if (before.status !== status) {
      await updateStatus(tx, userId, status)
      await recordAdminAction(tx, ctx, {
        action: 'user.status',
        subject: { type: 'user', id: userId },
        before: { status: before.status },
        after: { status },
      })
    }
    if (status === 'Banned') await deleteSessionsOfUser(tx, userId)
    return (await selectUser(tx, userId)) as UserRow
  })

  announceUser(ctx, user)
  if (status === 'Banned') ctx.realtime.disconnectUser(userId)
  return user
}
