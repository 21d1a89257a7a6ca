import { addressKey } from './address-key.ts'
import type { RateLimiter } from './rate-limiter.ts'

const HOUR_MS = 3_600_000

/**
 * Doors that knowledge opens without an account, and how often each thing behind one may be tried wrongly: at one address, and from everywhere
 * together, so that a stranger's guesses leave those of who knows. A number of which a stranger sees three digits has 60,000 likely values:
 * 48 a day from everywhere find it within a month in 1 of 40 tries.
 */
const DOORS = {
  /** A guest's number, which shows the codes of their order. */
  'number of guest order': { atOneAddress: { size: 10, everyMs: 3 * HOUR_MS }, everywhere: { size: 60, everyMs: HOUR_MS / 2 } },
  /** The receiver of an order that was named by its number. */
  'receiver of order': { atOneAddress: { size: 10, everyMs: 3 * HOUR_MS }, everywhere: { size: 60, everyMs: HOUR_MS / 2 } },
  /** A phone whose orders are looked for by counting order numbers. Relatives share a phone, so these are more. */
  'orders of receiver': { atOneAddress: { size: 20, everyMs: HOUR_MS }, everywhere: { size: 60, everyMs: HOUR_MS / 2 } },
  /** The card for a paid AFA order, which is refused if it is registered. Only the buyer, or who has a guest's link, comes here. */
  'card of order': { atOneAddress: null, everywhere: { size: 5, everyMs: 3 * HOUR_MS } },
  /** The cards that an account, which has the money for AFA in its wallet, wants to buy it for. Agents register many people. */
  'card of account': { atOneAddress: null, everywhere: { size: 10, everyMs: HOUR_MS } },
} as const

/** What is behind a door: an order's or account's id, or a phone number. */
export type Knowledge = { door: keyof typeof DOORS; of: string }

/**
 * Counts an attempt at each of these before `open` looks, and forgets it when that succeeds; who knows uses up nothing. What was typed wrongly must
 * make `open` throw.
 * @throws TooManyAttempts before anything was looked at; what `open` throws
 */
export async function limitKnowledge<T>(
  limiter: RateLimiter,
  ip: string | null,
  tried: readonly Knowledge[],
  open: () => Promise<T>,
): Promise<T> {
  const buckets = tried.flatMap(({ door, of }) => {
    const { atOneAddress, everywhere } = DOORS[door]
    const name = `${door} ${of}`
    const atAddress = atOneAddress && { name: `${name} at ${addressKey(ip ?? '')}`, ...atOneAddress }
    return [...(atAddress ? [atAddress] : []), { name, ...everywhere }]
  })
  await limiter.take(buckets)
  const opened = await open()
  for (const bucket of buckets) await limiter.giveBack(bucket)
  return opened
}
