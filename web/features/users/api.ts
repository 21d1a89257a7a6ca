import type { User, UserLevel } from '../../../shared/users.ts'
import { request } from '../../lib/http.ts'
import { session } from '../../lib/session.ts'
import { updateSessionUser } from '../../lib/session-change.ts'

/** Reads the signed-in user's own record afresh, balance included. */
export async function refreshSessionUser(): Promise<void> {
  const id = session.get()?._id
  if (!id) return
  const [own] = await request<User[]>('GET', '/user', { query: { mine: 'true' } })
  if (own?._id === id) updateSessionUser(own)
}

export async function changeLevel(userId: string, userLevel: UserLevel): Promise<User> {
  const { user } = await request<{ user: User }>('PUT', `/user/${userId}/level`, { body: { userLevel } })
  updateSessionUser(user)
  return user
}
