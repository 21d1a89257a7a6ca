import type { User, UserLevel } from '../../../../shared/users.ts'
import { call } from '../../../lib/api.ts'
import { session } from '../../../lib/session.ts'
import { updateSessionUser } from '../../../lib/session-change.ts'

/** Reads the signed-in user's own record afresh, balance included. */
export async function refreshSessionUser(): Promise<void> {
  const id = session.get()?._id
  if (!id) return
  const own = await call('GET /user/me', {})
  if (own._id === id) updateSessionUser(own)
}

export async function changeLevel(userId: string, userLevel: UserLevel): Promise<User> {
  const { user } = await call('PUT /user/:id/level', { params: { id: userId }, body: { userLevel } })
  updateSessionUser(user)
  return user
}
