import type { User, UserLevel } from '../../../shared/users.ts'
import { request } from '../../lib/http.ts'
import { session, updateSessionUser } from '../../lib/session.ts'

/** Reads the signed-in user's own record afresh, balance included. */
export async function refreshSessionUser(): Promise<void> {
  const id = session.get()?._id
  if (!id) return
  const users = await request<User[]>('GET', '/user')
  const own = users.find((user) => user._id === id)
  if (own) updateSessionUser(own)
}

export async function changeLevel(userId: string, userLevel: UserLevel): Promise<User> {
  const { user } = await request<{ user: User }>('PUT', `/user/${userId}/level`, { body: { userLevel } })
  updateSessionUser(user)
  return user
}
