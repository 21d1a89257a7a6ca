import { CLOSE_PAYMENT_AFTER_MINUTES } from '../../../../shared/limits.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Payers may take up to 15 minutes; until then an open payment is polled often enough to settle within a minute. */
const LOOKED_AFTER_CLOSELY_MS = 15 * MINUTE_MS
const FIRST_INTERVAL_MS = 20 * SECOND_MS
const CLOSE_INTERVAL_MS = 45 * SECOND_MS
const MOST_INTERVAL_MS = HOUR_MS
export const CLOSE_AFTER_MS = CLOSE_PAYMENT_AFTER_MINUTES * MINUTE_MS
/** Closed payments are still polled now and then: the webhook event for late money may be lost. */
export const FORGET_AFTER_MS = 24 * HOUR_MS

export function chooseFirstCheckTime(createdAt: Date): Date {
  return new Date(createdAt.getTime() + FIRST_INTERVAL_MS)
}

/**
 * The next time to query a payment: often at first, then at intervals growing with its age up to an hour, and always when it
 * is due to be closed.
 */
export function chooseCheckTime(createdAt: Date, now: Date): Date {
  const ageMs = now.getTime() - createdAt.getTime()
  const intervalMs =
    ageMs < LOOKED_AFTER_CLOSELY_MS ? between(FIRST_INTERVAL_MS, ageMs / 10, CLOSE_INTERVAL_MS) : Math.min(ageMs / 4, MOST_INTERVAL_MS)
  const untilClosedMs = ageMs < CLOSE_AFTER_MS ? CLOSE_AFTER_MS - ageMs : Number.POSITIVE_INFINITY
  return new Date(now.getTime() + Math.min(intervalMs, untilClosedMs))
}

function between(least: number, value: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
