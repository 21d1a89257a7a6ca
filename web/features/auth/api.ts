import type { LoginRequest, RegisterRequest, SignedInUser } from '../../../shared/users.ts'
import { request } from '../../lib/http.ts'
import { endSession, session, startSession } from '../../lib/session.ts'

export async function signIn(credentials: LoginRequest): Promise<SignedInUser> {
  const user = await request<SignedInUser>('POST', '/user/login', { body: credentials, withToken: false })
  startSession(user)
  return user
}

export async function register(account: RegisterRequest): Promise<SignedInUser> {
  const user = await request<SignedInUser>('POST', '/user/register', { body: account, withToken: false })
  startSession(user)
  return user
}

/** Leaves this browser at once; the server is told, but need not answer. */
export async function signOut(): Promise<void> {
  const told = session.get() ? request('POST', '/user/logout', { timeoutMs: 5000 }).catch(() => undefined) : undefined
  endSession('signed-out')
  await told
}

export function sendResetEmail(email: string): Promise<{ message: string }> {
  return request('POST', '/user/forget-password', { body: { email }, withToken: false })
}

export function resetPassword(token: string, password: string): Promise<{ message: string }> {
  return request('POST', `/user/reset-password/${encodeURIComponent(token)}`, { body: { password }, withToken: false })
}
