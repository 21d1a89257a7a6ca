import { hasRole } from '../../../../shared/staff-rules.ts'
import type { UserLevel } from '../../../../shared/users.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, NotFound } from '../../../platform/errors.ts'
import { requirePassword, requireStaff } from '../../../platform/lock-actor.ts'
import { updateKeysEnded } from '../sessions/keys-of-user.sql.ts'
import { deleteSessionsOfUser } from '../sessions/sessions.sql.ts'
import { announceUser } from './events.ts'
import { lockActiveAdmins, lockUser, selectActiveOwners, selectUser, type UserRow, updateLevel } from './users.sql.ts'

/**
 * An owner sets a user's level; who becomes an admin is an owner, and the last owner cannot be demoted. A user may ask to become an agent, but only the verified
 * fee grants it: `claimUpgrade` looks for it.
 * @throws NotFound, 402, 409, PasswordNeeded before anybody becomes an admin or is one no longer; whatever `claimUpgrade` throws
 */
export async function changeLevel(
  ctx: Ctx,
  { userId, level }: { userId: string; level: UserLevel },
  claimUpgrade: (ctx: Ctx) => Promise<void>,
): Promise<UserRow> {
  const actor = requireActor(ctx)
  if (!hasRole(actor, 'staff') && userId === actor.id && level === 'Agent') return ownUpgrade(ctx, claimUpgrade, userId)

  const changed = await transaction(ctx.db, async (tx) => {
    await lockActiveAdmins(tx)
    await requireStaff(tx, ctx, 'owner', { movesMoney: level === 'Admin' })
    const before = await lockUser(tx, userId)
    if (!before) throw new NotFound('user')
    if (before.level === level) return { user: (await selectUser(tx, userId)) as UserRow, before }
    if ([before.level, level].includes('Admin')) await requirePassword(tx, ctx)
    if (before.level === 'Admin' && (await selectActiveOwners(tx)).every((id) => id === userId)) {
      throw new AppError('CONFLICT', 'The last owner cannot be demoted. Make somebody else an owner first.')
    }
    await updateLevel(tx, userId, level)
    // Or they would work again for whoever has them, once the user is an agent again.
    if (before.level === 'Agent' || level === 'Customer') await updateKeysEnded(tx, userId, ctx.now)
    // Admin sessions are short but a customer's lasts a month, so a new admin must sign in again.
    if (level === 'Admin') await deleteSessionsOfUser(tx, userId)
    await recordAdminAction(tx, ctx, {
      action: 'user.level',
      subject: { type: 'user', id: userId },
      before: { level: before.level },
      after: { level },
    })
    return { user: (await selectUser(tx, userId)) as UserRow, before }
  })

  announceUser(ctx, changed.user)
  // The admins' room is joined on connecting, so a change of level requires a reconnect.
  if (changed.before.level !== level && [changed.before.level, level].includes('Admin')) ctx.realtime.disconnectUser(userId)
  return changed.user
}

async function ownUpgrade(ctx: Ctx, claimUpgrade: (ctx: Ctx) => Promise<void>, userId: string): Promise<UserRow> {
  const known = await selectUser(ctx.db, userId)
  if (known?.level === 'Agent') return known
  await claimUpgrade(ctx)
  const user = await selectUser(ctx.db, userId)
  if (user?.level === 'Agent') return user
  throw new AppError('UNPAID', 'The upgrade fee has not been paid yet. Use Become Agent to pay it.')
}
