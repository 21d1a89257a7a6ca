import { type Ctx, requireActor } from '../../../platform/context.ts'
import { brokenConstraint, transaction } from '../../../platform/db.ts'
import { Taken } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { ACCOUNT_CHANGED_QUEUE, accountChangedJob } from '../../../platform/queues.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import { announceUser } from '../users/events.ts'
import { lockUser, selectUser, type UserRow } from '../users/users.sql.ts'
import { updateContact } from './account.sql.ts'
import { ChangedMeanwhile } from './change-password.ts'
import { checkOwnPassword } from './check-own-password.ts'

/**
 * Changes one's own e-mail address or phone number. The address known before gets a mail about it, in case it was not them.
 * @throws Invalid, Taken, TooManyAttempts
 */
export async function changeContact(
  ctx: Ctx,
  limiter: RateLimiter,
  wanted: { password: string; email?: string | undefined; phone?: string | undefined },
): Promise<UserRow> {
  const asker = requireActor(ctx)
  const passwordHash = await checkOwnPassword(ctx, limiter, wanted.password)
  const user = await transaction(ctx.db, async (tx) => {
    await lockUser(tx, asker.id)
    const actor = await lockActor(tx, ctx)
    const before = (await selectUser(tx, actor.id)) as UserRow
    const { email = before.email, phone = before.phone } = wanted
    if (!(await updateContact(tx, { userId: actor.id, passwordHash, email, phone }))) throw new ChangedMeanwhile()
    const changed = [...(email === before.email ? [] : ['email' as const]), ...(phone === before.phone ? [] : ['phone' as const])]
    const jobs = changed.map((what) => accountChangedJob({ userId: actor.id, to: before.email, what }, ctx.now))
    if (jobs.length > 0) await ctx.jobs.enqueue(tx, ACCOUNT_CHANGED_QUEUE, jobs)
    return (await selectUser(tx, actor.id)) as UserRow
  }).catch((error: unknown) => {
    throw takenField(error) ?? error
  })
  ctx.jobs.wake(ACCOUNT_CHANGED_QUEUE)
  announceUser(ctx, user)
  return user
}

function takenField(error: unknown): Taken | null {
  switch (brokenConstraint(error)) {
    case 'users_email_key':
      return new Taken('email', 'Another account has that e-mail address.')
    case 'users_phone_key':
      return new Taken('phone', 'Another account has that phone number.')
    default:
      return null
  }
}
