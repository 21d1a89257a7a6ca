import { networkKey } from '../../../platform/address-key.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { ACCOUNT_CHANGED_QUEUE, accountChangedJob } from '../../../platform/queues.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import { hashPassword } from '../auth/hash-password.ts'
import { forgetDevicesOfUser } from '../auth/known-devices.sql.ts'
import { type PasswordRules, refuseCommonPassword, refuseOwnDetails } from '../auth/refuse-common-password.ts'
import { updateKeysEnded } from '../sessions/keys-of-user.sql.ts'
import { deleteOtherSessions } from '../sessions/sessions.sql.ts'
import { lockUser } from '../users/users.sql.ts'
import { updateOwnPassword } from './account.sql.ts'
import { checkOwnPassword } from './check-own-password.ts'

/**
 * Sets one's own new password. Every other session ends, with `endKeys` the keys of the developer API too, and a mail says so.
 * @throws Invalid, TooManyAttempts, 409 when it was changed elsewhere meanwhile.
 */
export async function changePassword(
  ctx: Ctx,
  { limiter, rules }: { limiter: RateLimiter; rules: PasswordRules },
  { password, newPassword, endKeys = false }: { password: string; newPassword: string; endKeys?: boolean | undefined },
): Promise<void> {
  const asker = requireActor(ctx)
  const from = await checkOwnPassword(ctx, limiter, password)
  await refuseCommonPassword(newPassword, rules)
  refuseOwnDetails(newPassword, asker, rules)
  const to = await hashPassword(newPassword, { lane: networkKey(ctx.ip ?? '') })
  const ended = await transaction(ctx.db, async (tx) => {
    await lockUser(tx, asker.id)
    const actor = await lockActor(tx, ctx)
    if (!(await updateOwnPassword(tx, { userId: actor.id, from, to }))) throw new ChangedMeanwhile()
    const sessions = await deleteOtherSessions(tx, actor.id, actor.sessionHash)
    await forgetDevicesOfUser(tx, actor.id)
    if (endKeys) await updateKeysEnded(tx, actor.id, ctx.now)
    await ctx.jobs.enqueue(tx, ACCOUNT_CHANGED_QUEUE, [accountChangedJob({ userId: actor.id, to: actor.email, what: 'password' }, ctx.now)])
    return sessions
  })
  ctx.jobs.wake(ACCOUNT_CHANGED_QUEUE)
  for (const hash of ended) ctx.realtime.disconnectSession(hash)
}

export class ChangedMeanwhile extends AppError {
  constructor() {
    super('CONFLICT', 'Your password was changed somewhere else. Please sign in again.')
  }
}
