import { addressKey, networkKey } from './address-key.ts'
import { TooManyAttempts } from './errors.ts'
import type { Bucket, RateLimiter } from './rate-limiter.ts'

const HOUR_MS = 3_600_000

/**
 * Once strangers have used up what everywhere has together, an address that has not guessed there for twenty days has one try: whoever knows comes in.
 * Who guesses from 1,000 addresses has 552 tries on the first day (60 and 48 from everywhere, 300 and 144 as new addresses), and no more than 117 a day over
 * a month, since each address is new again after twenty days: of 60,000 likely values that finds the one with a chance of 0.9 % on the first day and 0.2 % on others.
 */
const FIRST_TRY = { size: 1, everyMs: 20 * 24 * HOUR_MS }
const FIRST_TRIES = { size: 300, everyMs: HOUR_MS / 6 }

/**
 * Doors that knowledge opens without an account, and how often each thing behind one may be tried wrongly: at one address, and from everywhere
 * together, so that a stranger's guesses leave those of who knows. A number of which a stranger sees three digits has 60,000 likely values:
 * 48 a day from everywhere find it within a month in 1 of 40 tries.
 */
const DOORS = {
  /** A guest's number, which shows the codes of their order. */
  'number of guest order': {
    atOneAddress: { size: 10, everyMs: 3 * HOUR_MS },
    everywhere: { size: 60, everyMs: HOUR_MS / 2 },
    firstTries: false,
  },
  /** The receiver of an order that was named by its number. */
  'receiver of order': {
    atOneAddress: { size: 10, everyMs: 3 * HOUR_MS },
    everywhere: { size: 60, everyMs: HOUR_MS / 2 },
    firstTries: true,
  },
  /** A phone whose orders are looked for by counting order numbers. Relatives share a phone, so these are more. */
  'orders of receiver': { atOneAddress: { size: 20, everyMs: HOUR_MS }, everywhere: { size: 60, everyMs: HOUR_MS / 2 }, firstTries: true },
  /** The card for a paid AFA order, which is refused if it is registered. Only the buyer, or who has a guest's link, comes here. */
  'card of order': { atOneAddress: null, everywhere: { size: 5, everyMs: 3 * HOUR_MS }, firstTries: false },
  /** The cards that an account, which has the money for AFA in its wallet, wants to buy it for. Agents register many people. */
  'card of account': { atOneAddress: null, everywhere: { size: 10, everyMs: HOUR_MS }, firstTries: false },
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
  const address = addressKey(ip ?? '')
  const doors = tried.map(({ door, of }) => {
    const { atOneAddress, everywhere, firstTries } = DOORS[door]
    const name = `${door} ${of}`
    return {
      here: atOneAddress ? [{ name: `${name} at ${address}`, ...atOneAddress }] : [],
      everywhere: { name, ...everywhere },
      first: firstTries ? { name: `${name} first from ${networkKey(ip ?? '')}`, ...FIRST_TRY } : null,
      firsts: { name: `${name} first from anywhere`, ...FIRST_TRIES },
    }
  })
  const here = doors.flatMap((door) => door.here)
  const firsts = doors.flatMap(({ first }) => (first ? [first] : []))
  const usual = [...here, ...doors.map(({ everywhere }) => everywhere)]
  const asFirst = firsts.length === doors.length ? [...here, ...firsts, ...doors.map((door) => door.firsts)] : null
  const taken = await takeEither(limiter, usual, asFirst)
  const opened = await open().catch(async (error: unknown) => {
    // Who has guessed is new no more.
    if (taken === usual) for (const first of firsts) await limiter.count(first)
    throw error
  })
  for (const bucket of taken) await limiter.giveBack(bucket)
  return opened
}

/** Returns those that were taken. @throws TooManyAttempts with the time until the usual ones can be */
async function takeEither(limiter: RateLimiter, usual: Bucket[], otherwise: Bucket[] | null): Promise<Bucket[]> {
  try {
    await limiter.take(usual)
    return usual
  } catch (error) {
    if (!(error instanceof TooManyAttempts) || !otherwise) throw error
    await limiter.take(otherwise).catch((again: unknown) => {
      throw again instanceof TooManyAttempts ? error : again
    })
    return otherwise
  }
}
