import { AppError } from '../../../platform/errors.ts'
import { limitKnowledge } from '../../../platform/limit-knowledge.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import type { PurchaseLine } from './purchases.sql.ts'

/**
 * Buys, and where lines have details for AFA counts how often the account is told that they can't be used: a card may be taken.
 * @throws TooManyAttempts before anything is bought; what `buy` throws.
 */
export async function limitTakenCards<T>(
  limiter: RateLimiter,
  { userId, lines }: { userId: string; lines: readonly Pick<PurchaseLine, 'afa'>[] },
  buy: () => Promise<T>,
): Promise<T> {
  if (lines.every(({ afa }) => afa === undefined)) return buy()
  const outcome = await limitKnowledge(limiter, null, [{ door: 'card of account', of: userId }], async () => {
    try {
      return { bought: await buy() }
    } catch (error) {
      if (error instanceof AppError && error.issues?.some(({ path }) => path.endsWith('afa'))) throw error
      return { error }
    }
  })
  if ('error' in outcome) throw outcome.error
  return outcome.bought
}
