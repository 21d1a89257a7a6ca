import { type Ctx, requireActor } from '../../../platform/context.ts'
import { Invalid } from '../../../platform/errors.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import { chooseLane } from '../auth/choose-lane.ts'
import { isPassword } from '../auth/hash-password.ts'
import { selectPasswordHash } from './account.sql.ts'

/** Whoever holds an open session may guess its user's password ten times, then once in 90 seconds. */
const GUESSES = { size: 10, everyMs: 90_000 }

/**
 * Checks the caller's own password, outside of any transaction, since it takes long on purpose. Returns its hash, so that a
 * write can make sure that it is still the same.
 * @throws Invalid, TooManyAttempts
 */
export async function checkOwnPassword(ctx: Ctx, limiter: RateLimiter, password: string): Promise<string> {
  const { id } = requireActor(ctx)
  const guess = { name: `own password of ${id}`, ...GUESSES }
  await limiter.take([guess])
  const hash = await selectPasswordHash(ctx.db, id)
  if (hash === null || !(await isPassword(hash, password, await chooseLane(ctx, id)))) {
    throw new Invalid([{ path: 'password', message: 'That is not your password.' }])
  }
  await limiter.giveBack(guess)
  return hash
}
