import { TooManyTries } from '../../platform/errors.ts'

/** So many carts one after the other, as nobody has them by hand, and then so many a second. */
export type Pace = { atOnce: number; perSecond: number }

const MOST_KEPT = 20_000

/** How fast one user buys from a wallet. Each process counts in its own memory: a checkout sends no statement for it. */
export type CheckoutPace = {
  /** Counts one purchase of whoever a session is of, as far as that is known yet. @throws TooManyTries */
  takeOfSession(sessionHash: Buffer, now: Date): void
  /** @throws TooManyTries */
  takeOfUser(userId: string, now: Date): void
  /** What the session has bought and will buy counts with what its user buys elsewhere. */
  note(sessionHash: Buffer, userId: string, now: Date): void
}

/** Without a pace nobody is held back. */
export function openCheckoutPace(allowed: Pace | null): CheckoutPace {
  const everyMs = allowed ? 1_000 / allowed.perSecond : 0
  const emptyAt = new Map<string, number>()
  const userOf = new Map<string, string>()
  let pruneAbove = MOST_KEPT

  /** A bucket that leaks: full when it would be empty only after `atOnce` times the pause between two. */
  function take(who: string, nowMs: number) {
    if (!allowed) return
    const empty = Math.max(emptyAt.get(who) ?? 0, nowMs)
    const waitMs = empty - nowMs - (allowed.atOnce - 1) * everyMs
    if (waitMs > 0) throw new TooManyTries(waitMs)
    emptyAt.set(who, empty + everyMs)
    if (emptyAt.size > pruneAbove) prune(nowMs)
  }

  function prune(nowMs: number) {
    for (const [who, at] of emptyAt) if (at <= nowMs) emptyAt.delete(who)
    pruneAbove = Math.max(MOST_KEPT, 2 * emptyAt.size)
  }

  return {
    takeOfSession(sessionHash, now) {
      const session = sessionHash.toString('base64url')
      take(userOf.get(session) ?? session, now.getTime())
    },
    takeOfUser: (userId, now) => take(userId, now.getTime()),
    note(sessionHash, userId, now) {
      const session = sessionHash.toString('base64url')
      if (!allowed || userOf.get(session) === userId) return
      userOf.set(session, userId)
      const ofSession = Math.max((emptyAt.get(session) ?? 0) - now.getTime(), 0)
      emptyAt.set(userId, Math.max(emptyAt.get(userId) ?? 0, now.getTime()) + ofSession)
      emptyAt.delete(session)
      for (const oldest of userOf.keys()) {
        if (userOf.size <= MOST_KEPT) break
        userOf.delete(oldest)
      }
    },
  }
}
