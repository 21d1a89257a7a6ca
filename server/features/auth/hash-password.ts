import { hash, verify } from '@node-rs/argon2'
import { openHashQueue, type Waiting } from './open-hash-queue.ts'

/** The library's enum is not there at run time. */
const ARGON2ID = 2

/** argon2id at 19 MiB, two passes, one lane: the least that OWASP advises; about 17 ms on one core. */
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Hashing is heavy on purpose, so a flood of sign-ins may take one core and no more: the other goes on selling. Behind
 * the one address of a mobile operator, two hundred may sign in at once.
 */
const atMost = openHashQueue({ atOnce: 2, perAccount: 10, perLane: 250, inAll: 500 })

/** For what the shop does by itself, such as making its first admin. */
const BY_THE_SHOP: Waiting = { lane: 'the shop itself' }

let hashOfNobody: Promise<string> | undefined

/** @throws TooManyAttempts, ServiceUnavailable when too many wait already. */
export function hashPassword(password: string, asker = BY_THE_SHOP): Promise<string> {
  return atMost(asker, () => hash(password, OPTIONS))
}

/**
 * Checks a password; without a hash it works as long as with one, so that the time tells nothing.
 * @throws TooManyAttempts, ServiceUnavailable when too many wait already: the password was then not looked at.
 */
export async function isPassword(passwordHash: string | null, password: string, asker = BY_THE_SHOP): Promise<boolean> {
  hashOfNobody ??= hashPassword('nobody has this password')
  const against = passwordHash ?? (await hashOfNobody)
  const matches = await atMost(asker, () => verify(against, password))
  return matches && passwordHash !== null
}
