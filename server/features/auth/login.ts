import type * as z from 'zod/mini'
import type { loginRequest } from '../../../shared/users.ts'
import type { Ctx } from '../../platform/context.ts'
import { AppError, Banned } from '../../platform/errors.ts'
import { selectUserByPhone } from '../users/users.sql.ts'
import { isPassword } from './passwords.ts'
import { startSession } from './sessions.ts'

/** Signs a user in. An unknown phone and a wrong password cannot be told apart, in words or in time. */
export async function login(ctx: Ctx, { userPhone, password }: z.output<typeof loginRequest>) {
  const user = await selectUserByPhone(ctx.db, userPhone)
  const matches = await isPassword(user?.passwordHash ?? null, password)
  if (!user || !matches) throw new AppError(401, 'UNAUTHENTICATED', 'The phone number or the password is not right.')
  if (user.status === 'Banned') throw new Banned()
  return { user, token: await startSession(ctx.db, user, ctx.now) }
}
