import type { RateLimiter } from './rate-limiter.ts'

const HOUR_MS = 3_600_000

/**
 * Doors that knowledge opens without an account, and how often each thing behind one may be tried wrongly, from everywhere together. A number of
 * which a stranger sees three digits has 60,000 likely values: at eight a day they last for twenty years.
 */
const DOORS = {
  /** A guest's number, which shows the codes of their order. */
  'number of guest order': { size: 10, everyMs: 3 * HOUR_MS },
  /** The receiver of an order that was named by its number. */
  'receiver of order': { size: 10, everyMs: 3 * HOUR_MS },
  /** A phone whose orders are looked for by counting order numbers. Relatives share a phone, so these are more. */
  'orders of receiver': { size: 20, everyMs: HOUR_MS },
  /** The card for a guest's AFA order, which is refused if it is registered. */
  'card of order': { size: 5, everyMs: 3 * HOUR_MS },
} as const

/** What is behind a door: an order's id, or a phone number. */
export type Knowledge = { door: keyof typeof DOORS; of: string }

/**
 * Counts an attempt at each of these before `open` looks, and forgets it when that succeeds; who knows uses up nothing. What was typed wrongly must
 * make `open` throw.
 * @throws TooManyAttempts before anything was looked at; what `open` throws
 */
export async function limitKnowledge<T>(limiter: RateLimiter, tried: readonly Knowledge[], open: () => Promise<T>): Promise<T> {
  const buckets = tried.map(({ door, of }) => ({ name: `${door} ${of}`, ...DOORS[door] }))
  await limiter.take(buckets)
  const opened = await open()
  for (const bucket of buckets) await limiter.giveBack(bucket)
  return opened
}
