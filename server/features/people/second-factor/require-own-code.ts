import { type Ctx, requireActor } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/db.ts'
import { AppError, Invalid } from '../../../platform/errors.ts'
import { type CodeChecks, checkCode } from './check-code.ts'
import { selectSecondFactor } from './second-factor.sql.ts'

/**
 * For changes of the code itself, which the password alone must not make: a code of the app, or a recovery code, is used up with the transaction. Call
 * it after `requirePassword`: a request that is repeated with the password has the same code.
 * @throws Invalid for a wrong one; TooManyAttempts; 409 CONFLICT when no code is on.
 */
export async function requireOwnCode(tx: Tx, ctx: Ctx, checks: CodeChecks, code: string): Promise<void> {
  const { id } = requireActor(ctx)
  if (!(await selectSecondFactor(tx, id))?.confirmedAt) throw new AppError('CONFLICT', 'No code is on.')
  if (await checkCode(ctx, checks, id, code, 'signed in', tx)) return
  throw new Invalid([
    { path: 'code', message: 'That code is not right, or was used already. Wait for the next one in the app and try again.' },
  ])
}
