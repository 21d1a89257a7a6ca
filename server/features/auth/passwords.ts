import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'

/** The library's enum is not there at run time. */
const ARGON2ID = 2

/** argon2id at 19 MiB, two passes, one lane: the least that OWASP advises; about 17 ms on one core. */
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashing is heavy on purpose, so a flood of sign-ins may take one core and no more: the other goes on selling. */
const atMost = pLimit(2)

let hashOfNobody: Promise<string> | undefined

export function hashPassword(password: string): Promise<string> {
  return atMost(() => hash(password, OPTIONS))
}

/** Checks a password; without a hash it works as long as with one, so that the time tells nothing. */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  hashOfNobody ??= hashPassword('nobody has this password')
  const against = passwordHash ?? (await hashOfNobody)
  const matches = await atMost(() => verify(against, password))
  return matches && passwordHash !== null
}
