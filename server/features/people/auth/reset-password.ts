import { networkKey } from '../../../platform/address-key.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { Invalid } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { PASSWORD_CHANGED_QUEUE, passwordChangedJob } from '../../../platform/queues.ts'
import { deleteSessionsOfUser } from '../sessions/sessions.sql.ts'
import { selectUser } from '../users/users.sql.ts'
import { hashPassword } from './hash-password.ts'
import { forgetDevicesOfUser } from './known-devices.sql.ts'
import { isResetToken, markEmailConfirmed, takeResetToken, updatePassword } from './password-resets.sql.ts'
import { type PasswordRules, refuseCommonPassword, refuseOwnDetails } from './refuse-common-password.ts'

/**
 * Sets a new password through a mailed link, once. Ends all sessions of the user, forgets their devices and notifies them by
 * mail. Returns the user.
 * @throws Invalid when the link is unknown, used or older than an hour, or the password is too easy to guess (the link stays
 * valid then).
 */
export async function resetPassword(
  ctx: Ctx,
  { token, password }: { token: string; password: string },
  rules: PasswordRules,
): Promise<string> {
  await refuseCommonPassword(password, rules)
  // Check before hashing, so that a made-up link costs nothing.
  if (!(await isResetToken(ctx.db, hashToken(token), ctx.now))) throw new DeadLink()
  const passwordHash = await hashPassword(password, { lane: networkKey(ctx.ip ?? '') })
  const userId = await transaction(ctx.db, async (tx) => {
    const userId = await takeResetToken(tx, hashToken(token), ctx.now)
    if (!userId) throw new DeadLink()
    const user = await selectUser(tx, userId)
    if (user) refuseOwnDetails(password, user, rules)
    await updatePassword(tx, userId, passwordHash)
    await markEmailConfirmed(tx, userId, ctx.now)
    await deleteSessionsOfUser(tx, userId)
    await forgetDevicesOfUser(tx, userId)
    await ctx.jobs.enqueue(tx, PASSWORD_CHANGED_QUEUE, [passwordChangedJob(userId, ctx.now)])
    return userId
  })
  ctx.jobs.wake(PASSWORD_CHANGED_QUEUE)
  ctx.realtime.disconnectUser(userId)
  return userId
}

export class DeadLink extends Invalid {
  constructor() {
    super([{ path: 'token', message: 'This link has been used or is too old. Please ask for a new one.' }])
  }
}
