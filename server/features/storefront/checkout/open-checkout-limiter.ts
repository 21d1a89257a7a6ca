import { TooManyAtOnce } from '../../../platform/errors.ts'
import { memoryBuckets, openRateLimiter } from '../../../platform/rate-limiter.ts'

/**
 * Burst size and sustained rate per user, and how many purchases of one user may run at the same time: they queue for the
 * wallet's lock, each holding a connection.
 */
export type CheckoutLimits = { atOnce: number; perSecond: number; inFlight: number }

const MOST_KEPT = 20_000

/** Limits a user's wallet purchases. Counted in each process's memory, so that a checkout needs no extra statement. */
export type CheckoutLimiter = {
  /** The user whose session this is, if known. Without limits it is nobody's, since nobody is counted. */
  userOf(sessionHash: Buffer): string | undefined
  /** Remembers whose session it is. */
  note(sessionHash: Buffer, userId: string): void
  /**
   * Begins a purchase; call the returned function when it ends, however it ends.
   * @throws TooManyAtOnce
   */
  begin(userId: string): () => void
  /** @throws TooManyAttempts */
  take(userId: string): Promise<void>
}

const NOBODY = ''
const UNLIMITED: CheckoutLimiter = {
  userOf: () => NOBODY,
  note: () => undefined,
  begin: () => () => undefined,
  take: async () => undefined,
}

/** Without limits, nothing is refused. */
export function openCheckoutLimiter(allowed: CheckoutLimits | null, now: () => Date): CheckoutLimiter {
  if (!allowed) return UNLIMITED
  const limiter = openRateLimiter(memoryBuckets(), now)
  const rate = { size: allowed.atOnce, everyMs: 1_000 / allowed.perSecond }
  const users = new Map<string, string>()
  const inFlight = new Map<string, number>()

  function end(userId: string) {
    const left = (inFlight.get(userId) ?? 1) - 1
    if (left > 0) inFlight.set(userId, left)
    else inFlight.delete(userId)
  }

  return {
    userOf: (sessionHash) => users.get(sessionHash.toString('base64url')),
    note(sessionHash, userId) {
      users.set(sessionHash.toString('base64url'), userId)
      for (const oldest of users.keys()) {
        if (users.size <= MOST_KEPT) break
        users.delete(oldest)
      }
    },
    begin(userId) {
      const running = inFlight.get(userId) ?? 0
      if (running >= allowed.inFlight) throw new TooManyAtOnce()
      inFlight.set(userId, running + 1)
      return () => end(userId)
    },
    take: (userId) => limiter.take([{ name: userId, ...rate }]),
  }
}
