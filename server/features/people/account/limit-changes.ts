import { type Ctx, requireActor } from '../../../platform/context.ts'
import { AppError, TooManyAttempts } from '../../../platform/errors.ts'
import { countShareRefused } from '../../../platform/metrics.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import { bucketOf, SHARES } from '../../../platform/shares.ts'

const NAME = 'changes of an account'

/**
 * Carries out a change of the caller's phone, e-mail address, password or PIN within the account's share of a day. Only changes that succeed
 * count.
 * @throws 429, which names the rule; whatever `change` throws.
 */
export async function limitChanges<T>(ctx: Ctx, limiter: RateLimiter, change: () => Promise<T>): Promise<T> {
  const bucket = bucketOf(NAME, requireActor(ctx).id)
  await limiter.take([bucket]).catch((error: unknown) => {
    if (!(error instanceof TooManyAttempts)) throw error
    countShareRefused(NAME)
    const wait = Math.ceil(error.waitSeconds / 3_600)
    throw new AppError(
      'TOO_MANY_REQUESTS',
      `You can change your phone number, e-mail address, password and PIN ${SHARES[NAME].most} times a day in all. Please try again in ${wait === 1 ? 'an hour' : `${wait} hours`}.`,
    )
  })
  try {
    return await change()
  } catch (error) {
    await limiter.giveBack(bucket)
    throw error
  }
}
