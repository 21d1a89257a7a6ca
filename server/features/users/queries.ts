import type { Actor } from '../../platform/context.ts'
import type { Queryable } from '../../platform/db.ts'
import type { Page } from '../../platform/http/lists.ts'
import { selectUser, selectUsers, type UserRow } from './users.sql.ts'

/** The users that the asker may see: all of them for an admin, themselves alone for anyone else. */
export async function listUsersFor(db: Queryable, actor: Actor, page: Page): Promise<{ users: UserRow[]; total: number }> {
  if (actor.level === 'Admin') return selectUsers(db, page)
  const self = await selectUser(db, actor.id)
  return self ? { users: [self], total: 1 } : { users: [], total: 0 }
}
