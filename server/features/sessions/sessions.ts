import { createHash, randomBytes } from 'node:crypto'
import type { UserLevel } from '../../../shared/users.ts'
import type { Actor } from '../../platform/context.ts'
import type { Queryable } from '../../platform/db.ts'
import { deleteSession, insertSession, insertSessionWithPassword, selectActor, touchSession } from './sessions.sql.ts'

const HOUR_MS = 3_600_000
/** An admin decides over other people's money, so an admin's session is short; a customer's phone stays signed in. */
const LIFETIME_MS: Record<UserLevel, number> = { Customer: 30 * 24 * HOUR_MS, Agent: 30 * 24 * HOUR_MS, Admin: 12 * HOUR_MS }
const ADMIN_IDLE_MS = 2 * HOUR_MS
const TOUCH_EVERY_MS = 5 * 60_000

/** Starts a session and returns its token: 256 random bits, of which only a hash is kept. */
export async function startSession(tx: Queryable, user: { id: string; level: UserLevel }, now: Date): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + LIFETIME_MS[user.level])
  await insertSession(tx, { tokenHash: hashToken(token), userId: user.id, now, expiresAt })
  return token
}

/** The same once a password was found right; null when what it was looked at for has changed since. */
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

/** Who a token belongs to at this moment, or null when it is unknown, ended, idle too long, or its user banned. */
export async function findActor(db: Queryable, token: string, now: Date): Promise<Actor | null> {
  const found = await selectActor(db, hashToken(token), now)
  if (!found) return null
  const { lastUsedAt, ...actor } = found
  const idleMs = now.getTime() - lastUsedAt.getTime()
  if (actor.level === 'Admin' && idleMs > ADMIN_IDLE_MS) {
    await deleteSession(db, actor.sessionHash)
    return null
  }
  if (idleMs > TOUCH_EVERY_MS) await touchSession(db, actor.sessionHash, now)
  return actor
}

/** A live session that was used since then is taken as it is: `findActor` would neither end nor touch it. */
export function inUseSince(now: Date): Date {
  return new Date(now.getTime() - TOUCH_EVERY_MS)
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
