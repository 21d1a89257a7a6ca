import type { LoginRequest, RegisterRequest, SignedInUser } from '../../../../shared/users.ts'
import { call } from '../../../lib/api.ts'
import { session } from '../../../lib/session.ts'
import { endSession, startSession } from '../../../lib/session-change.ts'
import { sendSignOut } from '../../../lib/sign-outs.ts'

/** Replies the user, and the screen that was open when their last session ended by itself. */
export async function signIn(credentials: LoginRequest): Promise<{ user: SignedInUser; path: string | undefined }> {
  const user = await call('POST /user/login', { body: credentials, withToken: false })
  return { user, path: startSession(user) }
}

export async function register(account: RegisterRequest): Promise<SignedInUser> {
  const user = await call('POST /user/register', { body: account, withToken: false })
  startSession(user)
  return user
}

/** Sends a code to a number that an account has; the claim goes with the code to `register`. */
export function sendRegistrationCode(phoneNumber: string): Promise<{ claim: string; waitSeconds: number }> {
  return call('POST /user/register/code', { body: { phoneNumber }, withToken: false })
}

/** Signs out in this browser at once, and at the shop as soon as it can be reached. */
export async function signOut(): Promise<void> {
  const token = session.get()?.token
  endSession('signed-out')
  if (token) await sendSignOut(token)
}

export function sendResetEmail(email: string): Promise<{ message: string }> {
  return call('POST /user/forget-password', { body: { email }, withToken: false })
}

export function keepPassword(token: string): Promise<{ message: string }> {
  return call('POST /user/reset-password/:token/keep', { params: { token }, withToken: false })
}

export function resetPassword(token: string, password: string): Promise<{ message: string }> {
  return call('POST /user/reset-password/:token', { params: { token }, body: { password }, withToken: false })
}
