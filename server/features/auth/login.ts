import type * as z from 'zod/mini'
import type { loginRequest } from '../../../shared/users.ts'
import type { Ctx } from '../../platform/context.ts'
import { AppError, Banned } from '../../platform/errors.ts'
import type { Tries } from '../../platform/tries.ts'
import { selectUserByPhone } from '../users/users.sql.ts'
import { isKnownDevice } from './known-devices.sql.ts'
import { bucketsOfGuess } from './login-tries.ts'
import { isPassword } from './passwords.ts'
import { hashToken, startSession } from './sessions.ts'

type Login = z.output<typeof loginRequest> & { device: string | null }

/**
 * Signs a user in. An unknown phone and a wrong password cannot be told apart, in words or in time.
 * @throws TooManyTries after too many wrong guesses; `login-tries.ts` says how many.
 */
export async function login(ctx: Ctx, tries: Tries, { userPhone, password, device }: Login) {
  const deviceHash = device === null ? null : hashToken(device)
  const isKnown = deviceHash !== null && (await isKnownDevice(ctx.db, deviceHash, userPhone))
  const { own, shared } = bucketsOfGuess({ phone: userPhone, ip: ctx.ip, deviceHash: isKnown ? deviceHash : null })
  await tries.take(own, shared)
  const user = await selectUserByPhone(ctx.db, userPhone)
  const matches = await isPassword(user?.passwordHash ?? null, password)
  for (const bucket of matches ? own : []) await tries.giveBack(bucket)
  for (const bucket of matches ? [] : shared) await tries.count(bucket)
  if (!user || !matches) throw new AppError(401, 'UNAUTHENTICATED', 'The phone number or the password is not right.')
  if (user.status === 'Banned') throw new Banned()
  return { user, token: await startSession(ctx.db, user, ctx.now) }
}
