import { UNPAGED_LIMIT } from '../../../../shared/lists.ts'
import type { Actor } from '../../../platform/context.ts'
import type { Queryable } from '../../../platform/db.ts'
import { Unauthenticated } from '../../../platform/errors.ts'
import type { Page } from '../../../platform/http/lists.ts'
import { type FoundUsers, selectUser, selectUsers, type UserRow, type UserSearch } from './users.sql.ts'

/**
 * All users, or only the caller. A list without pages always includes the caller, since some clients look for their own
 * record there.
 */
export async function listUsersFor(
  db: Queryable,
  actor: Actor,
  { all, ...wanted }: Page & UserSearch & { all: boolean },
): Promise<FoundUsers> {
  if (all) {
    const found = await selectUsers(db, wanted)
    const isWholeList = wanted.search === null && wanted.limit === UNPAGED_LIMIT
    if (!isWholeList || found.users.some(({ id }) => id === actor.id)) return found
    const self = await selectUser(db, actor.id)
    return self ? { ...found, users: [...found.users.slice(0, UNPAGED_LIMIT - 1), self] } : found
  }
  const self = await selectUser(db, actor.id)
  return self ? { users: [self], total: 1 } : { users: [], total: 0 }
}

/**
 * One's own record.
 * @throws Unauthenticated when the user is gone.
 */
export async function readSelf(db: Queryable, userId: string): Promise<UserRow> {
  const self = await selectUser(db, userId)
  if (!self) throw new Unauthenticated()
  return self
}
