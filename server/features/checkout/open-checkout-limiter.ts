import { TooManyAtOnce, TooManyAttempts } from '../../platform/errors.ts'

/**
 * Burst size and sustained rate per user, and how many of a user's purchases may be under way at the same moment: they wait for
 * one another at the wallet, each with a connection that other buyers need.
 */
export type CheckoutLimits = { atOnce: number; perSecond: number; inFlight: number }

const MOST_KEPT = 20_000

/** How fast one user buys from a wallet. Each process counts in its own memory: a checkout sends no statement for it. */
export type CheckoutLimiter = {
  /** Whether it is known whose a session is; always without a pace. */
  knows(sessionHash: Buffer): boolean
  /** A purchase begins; the function that is returned says that it is over, however it ended. @throws TooManyAtOnce */
  beginOfSession(sessionHash: Buffer): () => void
  /** @throws TooManyAtOnce */
  beginOfUser(userId: string): () => void
  /** Counts one purchase of whoever a session is of, as far as that is known yet. @throws TooManyAttempts */
  takeOfSession(sessionHash: Buffer, now: Date): void
  /** @throws TooManyAttempts */
  takeOfUser(userId: string, now: Date): void
  /** What the session has bought and will buy counts with what its user buys elsewhere. */
  note(sessionHash: Buffer, userId: string, now: Date): void
}

/** Whose it is: a session, until the user of the session is known. */
type Purchase = { who: string }

/** Without a pace nobody is held back. */
export function openCheckoutLimiter(allowed: CheckoutLimits | null): CheckoutLimiter {
  const everyMs = allowed ? 1_000 / allowed.perSecond : 0
  const emptyAt = new Map<string, number>()
  const userOf = new Map<string, string>()
  const inFlight = new Map<string, Set<Purchase>>()
  let pruneAbove = MOST_KEPT

  /** A bucket that leaks: full when it would be empty only after `atOnce` times the pause between two. */
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

  /** What is under way for a session counts for its user, once that is known. */
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
