import { TooManyAtOnce, TooManyAttempts } from '../../platform/errors.ts'

/**
 * Burst size and sustained rate per user, and how many purchases of one user may run at the same time: they queue for the
 * wallet's lock, each holding a connection.
 */
export type CheckoutLimits = { atOnce: number; perSecond: number; inFlight: number }

const MOST_KEPT = 20_000

/** Limits a user's wallet purchases. Counted in each process's memory, so that a checkout needs no extra statement. */
export type CheckoutLimiter = {
  /** Whether the session's user is known; always true without limits. */
  knows(sessionHash: Buffer): boolean
  /**
   * Begins a purchase; call the returned function when it ends, however it ends.
   * @throws TooManyAtOnce
   */
  beginOfSession(sessionHash: Buffer): () => void
  /** @throws TooManyAtOnce */
  beginOfUser(userId: string): () => void
  /**
   * Counts a purchase for the session's user if known, else for the session.
   * @throws TooManyAttempts
   */
  takeOfSession(sessionHash: Buffer, now: Date): void
  /** @throws TooManyAttempts */
  takeOfUser(userId: string, now: Date): void
  /** From now on the session's purchases, past ones included, count for its user. */
  note(sessionHash: Buffer, userId: string, now: Date): void
}

/** Whose purchase it is: a session's until its user is known. */
type Purchase = { who: string }

/** Without limits, nothing is refused. */
export function openCheckoutLimiter(allowed: CheckoutLimits | null): CheckoutLimiter {
  const everyMs = allowed ? 1_000 / allowed.perSecond : 0
  const emptyAt = new Map<string, number>()
  const userOf = new Map<string, string>()
  const inFlight = new Map<string, Set<Purchase>>()
  let pruneAbove = MOST_KEPT

  /** A leaky bucket: full when emptying it would take `atOnce` times the interval between two purchases. */
  function take(who: string, nowMs: number) {
    if (!allowed) return
    const empty = Math.max(emptyAt.get(who) ?? 0, nowMs)
    const waitMs = empty - nowMs - (allowed.atOnce - 1) * everyMs
    if (waitMs > 0) throw new TooManyAttempts(waitMs)
    emptyAt.set(who, empty + everyMs)
    if (emptyAt.size > pruneAbove) prune(nowMs)
  }

  function begin(who: string): () => void {
    if (!allowed) return () => undefined
    const of = inFlight.get(who) ?? new Set()
    if (of.size >= allowed.inFlight) throw new TooManyAtOnce()
    const purchase: Purchase = { who }
    inFlight.set(who, of.add(purchase))
    return () => end(purchase)
  }

  function end(purchase: Purchase) {
    const of = inFlight.get(purchase.who)
    of?.delete(purchase)
    if (of?.size === 0) inFlight.delete(purchase.who)
  }

  /** Counts a session's running purchases for its user once the user is known. */
  function moveInFlight(session: string, userId: string) {
    const ofSession = inFlight.get(session)
    if (!ofSession) return
    const ofUser = inFlight.get(userId) ?? new Set()
    for (const purchase of ofSession) {
      purchase.who = userId
      ofUser.add(purchase)
    }
    inFlight.set(userId, ofUser)
    inFlight.delete(session)
  }

  function prune(nowMs: number) {
    for (const [who, at] of emptyAt) if (at <= nowMs) emptyAt.delete(who)
    pruneAbove = Math.max(MOST_KEPT, 2 * emptyAt.size)
  }

  return {
    knows: (sessionHash) => !allowed || userOf.has(sessionHash.toString('base64url')),
    beginOfSession(sessionHash) {
      const session = sessionHash.toString('base64url')
      return begin(userOf.get(session) ?? session)
    },
    beginOfUser: begin,
    takeOfSession(sessionHash, now) {
      const session = sessionHash.toString('base64url')
      take(userOf.get(session) ?? session, now.getTime())
    },
    takeOfUser: (userId, now) => take(userId, now.getTime()),
    note(sessionHash, userId, now) {
      const session = sessionHash.toString('base64url')
      if (!allowed || userOf.get(session) === userId) return
      userOf.set(session, userId)
      moveInFlight(session, userId)
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
