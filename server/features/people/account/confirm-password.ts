import { type Ctx, requireActor } from '../../../platform/context.ts'
import { Unauthenticated } from '../../../platform/errors.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import { noteConfirmedPassword } from './account.sql.ts'
import { checkOwnPassword } from './check-own-password.ts'

/**
 * Notes in the session that the password was given again (`requirePassword`).
 * @throws Invalid, TooManyAttempts, Unauthenticated when the session ended meanwhile.
 */
export async function confirmPassword(ctx: Ctx, limiter: RateLimiter, password: string): Promise<void> {
  const { sessionHash } = requireActor(ctx)
  const passwordHash = await checkOwnPassword(ctx, limiter, password)
  if (!(await noteConfirmedPassword(ctx.db, { sessionHash, passwordHash, now: ctx.now }))) {
    throw new Unauthenticated('Your session has ended. Please sign in again.')
  }
}
