import { timingSafeEqual } from 'node:crypto'
import { formatShortTime } from '../../../../shared/dates.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, Invalid } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { PIN_CHANGED_QUEUE } from '../../../platform/queues.ts'
import { checkOwnPassword } from '../account/check-own-password.ts'
import { type CodeChecks, checkCode } from '../second-factor/check-code.ts'
import { selectSecondFactor } from '../second-factor/second-factor.sql.ts'
import { NoPin, PinChangedMeanwhile } from './check-pin.ts'
import { queuePinMail, sealPin } from './record-pin.ts'
import { CODE_VALID_MS, hashResetCode, WAIT_MS } from './send-reset-code.ts'
import { lockPin, replacePin, selectPin, takeResetTry } from './transaction-pin.sql.ts'

/**
 * Sets a new PIN for a caller who forgot theirs, with the password and what `sendResetCode` asked for. A lock ends.
 * @throws Invalid for a wrong password or code, TooManyAttempts, 409 without a PIN or when the time to wait is not over.
 */
export async function resetPin(
  ctx: Ctx,
  checks: CodeChecks,
  { password, code, pin }: { password: string; code?: string | undefined; pin: string },
): Promise<void> {
  const userId = requireActor(ctx).id
  await checkOwnPassword(ctx, checks.limiter, password)
  const to = await sealPin(ctx, checks.secretsKey, pin)
  const before = await selectPin(ctx.db, userId)
  if (!before) throw new NoPin()
  await checkProof(ctx, checks, userId, code)
  await transaction(ctx.db, async (tx) => {
    const { email } = await lockActor(tx, ctx)
    const now = await lockPin(tx, userId)
    // A code sets one PIN.
    if (now?.changedAt.getTime() !== before.changedAt.getTime() || now.resetAskedAt?.getTime() !== before.resetAskedAt?.getTime()) {
      throw new PinChangedMeanwhile()
    }
    await replacePin(tx, { userId, to, now: ctx.now })
    await queuePinMail(tx, ctx, { userId, to: email, what: 'changed' })
  })
  ctx.jobs.wake(PIN_CHANGED_QUEUE)
}

async function checkProof(ctx: Ctx, checks: CodeChecks, userId: string, code: string | undefined) {
  if ((await selectSecondFactor(ctx.db, userId))?.confirmedAt) {
    if (code === undefined || !(await checkCode(ctx, checks, userId, code, 'signed in')))
      throw wrongCode('That code is not right. Wait for the next one in the app.')
    return
  }
  if (code !== undefined) {
    const hash = await takeResetTry(ctx.db, userId, new Date(ctx.now.getTime() - CODE_VALID_MS))
    if (!hash) throw wrongCode('That code has ended. Please ask for a new one.')
    if (!timingSafeEqual(hash, hashResetCode(code))) throw wrongCode('That code is not right. Please look at the message again.')
    return
  }
  const pin = await selectPin(ctx.db, userId)
  if (!pin?.resetAskedAt || pin.hasCode) throw wrongCode('Enter the 6 digits of the code.')
  const from = new Date(pin.resetAskedAt.getTime() + WAIT_MS)
  if (from > ctx.now) throw new AppError('CONFLICT', `You can choose a new PIN from ${formatShortTime(from, ctx.now)}.`)
  if (ctx.now.getTime() - from.getTime() > WAIT_MS) throw new AppError('CONFLICT', 'That was too long ago. Please ask again.')
}

function wrongCode(message: string): Invalid {
  return new Invalid([{ path: 'code', message }])
}
