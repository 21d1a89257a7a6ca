import { addressKey } from '../../../platform/address-key.ts'
import type { Bucket } from '../../../platform/rate-limiter.ts'

const SECOND_MS = 1_000

/** Per place and account: 10 wrong guesses, then one every 90 seconds, so 10 in 15 minutes. */
const AT_ONE_PLACE = { size: 10, everyMs: 90 * SECOND_MS }
/** Per account from everywhere: wide enough that one place cannot use it up; it delays but never locks. */
const FROM_EVERYWHERE = { size: 30, everyMs: 30 * SECOND_MS }
/**
 * When that is used up, a network that has not guessed at the account for a day has one guess, and all of them so many: a few addresses that go on
 * guessing keep nobody out who comes from another network.
 */
const OF_A_NEW_NETWORK = { size: 1, everyMs: 86_400 * SECOND_MS }
const OF_NEW_NETWORKS = { size: 20, everyMs: 60 * SECOND_MS }
/** Per address over all accounts: hundreds of customers may share a mobile operator's address. */
const AT_ONE_ADDRESS = { size: 100, everyMs: 9 * SECOND_MS }
/** When that is used up, an account never signed in to from this address gets two attempts there, then one per 15 minutes, */
const AT_A_BUSY_ADDRESS = { size: 2, everyMs: 900 * SECOND_MS }
/** within a total of this for all such accounts. */
const IN_ALL_AT_A_BUSY_ADDRESS = { size: 500, everyMs: 3 * SECOND_MS }

type Guess = {
  phone: string
  ip: string | null
  /** The hash of the browser's cookie if the user has signed in with it before. */
  deviceHash: Buffer | null
  /** Whether the user has signed in from this address before. */
  isKnownPlace: boolean
}

/**
 * `own` is taken before the password is checked and returned when it was right; `shared` must not be empty, and counts only
 * wrong guesses.
 */
type Buckets = { own: Bucket[]; shared: Bucket[] }

/**
 * Buckets for counting a password guess: `first`, or the next of `otherwise` when the shared address or the account has used its attempts, so that
 * one attacker does not lock out everyone behind a mobile operator, nor an account's owner at a new place. Where the owner has signed in before, guesses at other
 * accounts don't count, nor do guesses from where they have not; in a known browser, neither do guesses from any other address.
 */
export function limitGuesses({ phone, ip, deviceHash, isKnownPlace }: Guess): {
  first: Buckets
  otherwise: Buckets[]
  /** Buckets that count every wrong guess. */
  wrong: Bucket[]
} {
  if (deviceHash) {
    const known = [
      { name: `login ${phone} on ${deviceHash.toString('base64url')}`, ...AT_ONE_PLACE },
      // Shared by all known browsers: someone with an old password may have made several of them known.
      { name: `login ${phone} on known devices`, ...FROM_EVERYWHERE },
    ]
    return { first: { own: known, shared: [] }, otherwise: [], wrong: [] }
  }
  const address = addressKey(ip ?? '')
  // Guesses from everywhere don't use up those at an address that the user has signed in from.
  const everywhere = isKnownPlace ? `login ${phone} at known places` : `login ${phone}`
  const own = [
    { name: `login ${phone} at ${address}`, ...AT_ONE_PLACE },
    { name: everywhere, ...FROM_EVERYWHERE },
  ]
  const atAddress = { name: `login at ${address}`, ...AT_ONE_ADDRESS }
  const inAll = { name: `login at ${address} when busy`, ...IN_ALL_AT_A_BUSY_ADDRESS }
  const ofNetwork = { name: `login ${phone} from ${neighbourhoodKey(address)}`, ...OF_A_NEW_NETWORK }
  const wrong = [atAddress, inAll, ofNetwork]
  if (isKnownPlace) return { first: { own, shared: [] }, otherwise: [], wrong }
  const cautious = [...own, { name: `login ${phone} at ${address} when busy`, ...AT_A_BUSY_ADDRESS }]
  const [atPlace] = own as [Bucket, Bucket]
  const fresh = [atPlace, ofNetwork, { name: `login ${phone} from new networks`, ...OF_NEW_NETWORKS }]
  return {
    first: { own, shared: [atAddress] },
    otherwise: [
      { own: cautious, shared: [inAll] },
      { own: fresh, shared: [inAll] },
    ],
    wrong,
  }
}

/** The /24 of an IPv4 address, where `networkKey` has each address for itself, and the /48 of an IPv6 one: what one guesser easily has. */
function neighbourhoodKey(address: string): string {
  return address.includes(':') ? address.split(':').slice(0, 3).join(':') : address.split('.').slice(0, 3).join('.')
}
