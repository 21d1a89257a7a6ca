import { addressKey } from '../../platform/http/address-key.ts'
import type { Bucket } from '../../platform/rate-limiter.ts'

const SECOND_MS = 1_000

/** From one place to one account: 10 wrong guesses, then one every 90 seconds, so 10 in 15 minutes. */
const AT_ONE_PLACE = { size: 10, everyMs: 90 * SECOND_MS }
/** To one account from everywhere: wide enough that a single place cannot use it up, and never a lock, only a wait. */
const FROM_EVERYWHERE = { size: 30, everyMs: 30 * SECOND_MS }
/** From one address to all accounts: a mobile operator puts hundreds of customers behind one, who mistype now and then. */
const AT_ONE_ADDRESS = { size: 100, everyMs: 9 * SECOND_MS }
/** Once an address has used that up, an account that was never signed in to from there has two tries there, then one every quarter of an hour, */
const AT_A_BUSY_ADDRESS = { size: 2, everyMs: 900 * SECOND_MS }
/** as long as all of them together are no more than this. */
const IN_ALL_AT_A_BUSY_ADDRESS = { size: 500, everyMs: 3 * SECOND_MS }

type Guess = {
  phone: string
  ip: string | null
  /** The browser, when the user has signed in with it before. */
  deviceHash: Buffer | null
  /** Whether the user has signed in from this address before. */
  isKnownPlace: boolean
}

/** `own` is taken before the password is looked at and given back if it was right; `shared` must not be used up, and counts what was wrong alone. */
type Buckets = { own: Bucket[]; shared: Bucket[] }

/**
 * Where a guess at a password is counted: `first`, or `otherwise` when the address has used up what all behind it share,
 * so that one guesser does not keep everyone else of a mobile operator out. Where the owner has signed in before,
 * nobody's guesses at other accounts count, and in a known browser none from elsewhere.
 */
export function limitGuesses({ phone, ip, deviceHash, isKnownPlace }: Guess): {
  first: Buckets
  otherwise: Buckets | null
  /** Counts each wrong guess, whoever it is of. */
  wrong: Bucket[]
} {
  if (deviceHash) {
    const known = [
      { name: `login ${phone} on ${deviceHash.toString('base64url')}`, ...AT_ONE_PLACE },
      // Whoever knew an old password may have left a number of known browsers behind.
      { name: `login ${phone} on known devices`, ...FROM_EVERYWHERE },
    ]
    return { first: { own: known, shared: [] }, otherwise: null, wrong: [] }
  }
  const address = addressKey(ip ?? '')
  const own = [
    { name: `login ${phone} at ${address}`, ...AT_ONE_PLACE },
    { name: `login ${phone}`, ...FROM_EVERYWHERE },
  ]
  const atAddress = { name: `login at ${address}`, ...AT_ONE_ADDRESS }
  const inAll = { name: `login at ${address} when busy`, ...IN_ALL_AT_A_BUSY_ADDRESS }
  const wrong = [atAddress, inAll]
  if (isKnownPlace) return { first: { own, shared: [] }, otherwise: null, wrong }
  const cautious = [...own, { name: `login ${phone} at ${address} when busy`, ...AT_A_BUSY_ADDRESS }]
  return { first: { own, shared: [atAddress] }, otherwise: { own: cautious, shared: [inAll] }, wrong }
}
