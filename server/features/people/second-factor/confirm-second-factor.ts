import { recordAdminAction } from '../../../platform/audit.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, Invalid } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { deleteOtherSessions } from '../sessions/sessions.sql.ts'
import { lockUser } from '../users/users.sql.ts'
import { type CodeChecks, checkCode } from './check-code.ts'
import { renewRecoveryCodes } from './create-recovery-codes.ts'
import { markConfirmed, selectSecondFactor } from './second-factor.sql.ts'

/**
 * Switches the code on with a first code from the app, and signs the user's other devices out: they came in with the password
 * alone. Returns ten recovery codes, which are shown this once.
 * @throws Invalid for a wrong code, TooManyAttempts, 409 when there is nothing to confirm.
 */
export async function confirmSecondFactor(ctx: Ctx, checks: CodeChecks, code: string): Promise<string[]> {
  const { id } = requireActor(ctx)
  const factor = await selectSecondFactor(ctx.db, id)
  if (!factor || factor.confirmedAt)
    throw new AppError('CONFLICT', factor ? 'Your code is already on.' : 'Start again: there is no code yet.')
  if (!(await checkCode(ctx, checks, id, code, 'signed in'))) {
    throw new Invalid([
      { path: 'code', message: 'That code is not right. Wait for the next one in the app, and check your phone’s clock.' },
    ])
  }
  const { codes, ended } = await transaction(ctx.db, async (tx) => {
    // Two devices that confirm at once would each wait for the other's session.
    await lockUser(tx, id)
    const actor = await requireStaff(tx, ctx, 'staff')
    if (!(await markConfirmed(tx, actor.id, ctx.now))) throw new AppError('CONFLICT', 'Your code is already on.')
    await recordAdminAction(tx, ctx, { action: 'staff.code-on', subject: { type: 'user', id: actor.id } })
    const others = await deleteOtherSessions(tx, actor.id, actor.sessionHash)
    return { codes: await renewRecoveryCodes(tx, ctx, actor.id), ended: others }
  })
  for (const hash of ended) ctx.realtime.disconnectSession(hash)
  return codes
}
