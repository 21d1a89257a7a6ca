import type { CardPayments } from '../../integrations/payments/card-payments.ts'

/** The card provider, and whether its payments are tests: in the sandbox they all are, in a live shop none may be. */
export type CardDesk = { card: CardPayments; isTest: boolean }

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** A payer takes up to a quarter of an hour; until then an open payment is asked about often enough to settle in a minute. */
const LOOKED_AFTER_CLOSELY_MS = 15 * MINUTE_MS
const CLOSE_INTERVAL_MS = 20 * SECOND_MS
const MOST_INTERVAL_MS = HOUR_MS
/** The provider's notices are repeated for 72 hours; looking for a day longer than a payer's patience costs little. */
export const GIVE_UP_AFTER_MS = 24 * HOUR_MS

export function firstCheckAt(createdAt: Date): Date {
  return new Date(createdAt.getTime() + CLOSE_INTERVAL_MS)
}

/** When to ask about an open payment again: often at first, then at intervals that grow with its age, at most an hour. */
export function nextCheckAt(createdAt: Date, now: Date): Date {
  const ageMs = now.getTime() - createdAt.getTime()
  const intervalMs = ageMs < LOOKED_AFTER_CLOSELY_MS ? CLOSE_INTERVAL_MS : Math.min(Math.max(ageMs / 4, MINUTE_MS), MOST_INTERVAL_MS)
  return new Date(now.getTime() + intervalMs)
}
