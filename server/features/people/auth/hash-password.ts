import { hash, verify } from '@node-rs/argon2'
import { type Lane, openFairTurns, runInTurn } from '../../../platform/fair-turns.ts'

/** The library's const enum does not exist at run time. */
const ARGON2ID = 2

/** argon2id with 19 MiB, two passes, one lane: OWASP's recommended minimum, about 17 ms on one core. */
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Hashing is slow on purpose: limit it, so that a flood of sign-ins leaves a core for sales. Up to 250 people behind one
 * mobile operator's address may wait at once.
 */
const turns = openFairTurns({ atOnce: 2, perAccount: 10, perLane: 250, inAll: 500 })

/** For hashing on behalf of the shop, such as for its first admin. */
const BY_THE_SHOP: Lane = { lane: 'the shop itself' }

let hashOfNobody: Promise<string> | undefined

/** @throws TooManyAttempts or ServiceUnavailable when too many already wait. */
export function hashPassword(password: string, asker = BY_THE_SHOP): Promise<string> {
  return runInTurn(turns, asker, () => hash(password.normalize('NFC'), OPTIONS))
}

/**
 * Checks a password, however its accents are composed: a phone sends é as one character, a Mac as two, and hashes from before 0.4 have
 * either. Without a hash it takes as long as with one, so that timing reveals nothing.
 * @throws TooManyAttempts or ServiceUnavailable when too many already wait; the password was not checked then.
 */
export async function isPassword(passwordHash: string | null, password: string, asker = BY_THE_SHOP): Promise<boolean> {
  hashOfNobody ??= hashPassword('nobody has this password')
  const against = passwordHash ?? (await hashOfNobody)
  const spellings = new Set([password.normalize('NFC'), password, password.normalize('NFD')])
  // In one turn: what was checked in part would have to count as an attempt and be refused.
  return runInTurn(turns, asker, async () => {
    let matches = false
    for (const spelling of spellings) matches ||= await verify(against, spelling)
    return matches && passwordHash !== null
  })
}
