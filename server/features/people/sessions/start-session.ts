import { randomBytes } from 'node:crypto'
import type { UserLevel } from '../../../../shared/users.ts'
import type { Queryable } from '../../../platform/db.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { insertSession, insertSessionWithPassword } from './sessions.sql.ts'

const HOUR_MS = 3_600_000
/** Admins can move other people's money, so their sessions are short; a customer's phone stays signed in. */
const LIFETIME_MS: Record<UserLevel, number> = { Customer: 30 * 24 * HOUR_MS, Agent: 30 * 24 * HOUR_MS, Admin: 12 * HOUR_MS }

/** Starts a session and returns its token: 256 random bits, of which only a hash is stored. */
export async function startSession(tx: Queryable, user: { id: string; level: UserLevel }, now: Date): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + LIFETIME_MS[user.level])
  await insertSession(tx, { tokenHash: hashToken(token), userId: user.id, now, expiresAt })
  return token
}

/** The same after a password check; null when the password, level or status has changed since. */
export async function startSessionWithPassword(
  db: Queryable,
  user: { id: string; level: UserLevel; passwordHash: string },
  now: Date,
): Promise<string | null> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + LIFETIME_MS[user.level])
  const { id: userId, level, passwordHash } = user
  return (await insertSessionWithPassword(db, { tokenHash: hashToken(token), userId, passwordHash, level, now, expiresAt })) ? token : null
}
