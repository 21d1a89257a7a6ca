import { addressKey } from '../../platform/http/address-key.ts'
import type { Bucket } from '../../platform/tries.ts'

const SECOND_MS = 1_000

/** From one place to one account: 10 wrong guesses, then one every 90 seconds, so 10 in 15 minutes. */
const AT_ONE_PLACE = { size: 10, everyMs: 90 * SECOND_MS }
/** To one account from everywhere: wide enough that a single place cannot use it up, and never a lock, only a wait. */
const FROM_EVERYWHERE = { size: 30, everyMs: 30 * SECOND_MS }
/** From one address to all accounts: a mobile operator puts hundreds of customers behind one, who mistype now and then. */
const AT_ONE_ADDRESS = { size: 100, everyMs: 9 * SECOND_MS }

type Guess = { phone: string; ip: string | null; deviceHash: Buffer | null }

/**
 * Where a guess at a password is counted. `own` is taken before the password is looked at and given back if it was
 * right; `shared` counts what was wrong alone, so that hundreds who sign in rightly at once use up nothing.
 * Where the owner has signed in before (`deviceHash`), nobody else's guesses count.
 */
export function bucketsOfGuess({ phone, ip, deviceHash }: Guess): { own: Bucket[]; shared: Bucket[] } {
  if (deviceHash) return { own: [{ name: `login ${phone} on ${deviceHash.toString('base64url')}`, ...AT_ONE_PLACE }], shared: [] }
  const address = addressKey(ip ?? '')
  return {
    own: [
      { name: `login ${phone} at ${address}`, ...AT_ONE_PLACE },
      { name: `login ${phone}`, ...FROM_EVERYWHERE },
    ],
    shared: [{ name: `login at ${address}`, ...AT_ONE_ADDRESS }],
  }
}
