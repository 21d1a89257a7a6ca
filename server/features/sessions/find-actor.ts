import type { Actor } from '../../platform/context.ts'
import type { Queryable } from '../../platform/db.ts'
import { hashToken } from '../../platform/hash-token.ts'
import { deleteSession, selectActor, touchSession } from './sessions.sql.ts'

const ADMIN_IDLE_MS = 2 * 3_600_000
const TOUCH_EVERY_MS = 5 * 60_000

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
