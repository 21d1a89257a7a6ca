import type { Actor } from '../../../platform/context.ts'
import type { Queryable } from '../../../platform/db.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { deleteSession, selectActor, touchSession } from './sessions.sql.ts'

const ADMIN_IDLE_MS = 2 * 3_600_000
const TOUCH_EVERY_MS = 5 * 60_000

/** The user of a token, or null when it is unknown, ended or idle too long, or the user is banned. */
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

/** Sessions used since then need no check for idleness and no update of their last use. */
export function inUseSince(now: Date): Date {
  return new Date(now.getTime() - TOUCH_EVERY_MS)
}
