import { newPinProblem } from '../../../../shared/pin-rules.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { AppError, Invalid } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { PIN_CHANGED_QUEUE, type PinChangedJob, pinChangedJob } from '../../../platform/queues.ts'
import { type SecretsKey, sealSecret } from '../../../platform/seal-secret.ts'
import { checkOwnPassword } from '../account/check-own-password.ts'
import { chooseLane } from '../auth/choose-lane.ts'
import { hashPassword } from '../auth/hash-password.ts'
import type { CodeChecks } from '../second-factor/check-code.ts'
import { insertPin } from './transaction-pin.sql.ts'

/**
 * Sets the caller's first PIN, and a mail says so.
 * @throws Invalid, TooManyAttempts, 409 when there is one already.
 */
export async function recordPin(
  ctx: Ctx,
  { limiter, secretsKey }: CodeChecks,
  { password, pin, atCheckout }: { password: string; pin: string; atCheckout: boolean },
): Promise<void> {
  await checkOwnPassword(ctx, limiter, password)
  const sealed = await sealPin(ctx, secretsKey, pin)
  await transaction(ctx.db, async (tx) => {
    const { id: userId, email } = await lockActor(tx, ctx)
    if (!(await insertPin(tx, { userId, pin: sealed, atCheckout, now: ctx.now }))) {
      throw new AppError('CONFLICT', 'You have a PIN already. You can change it.')
    }
    await queuePinMail(tx, ctx, { userId, to: email, what: 'set' })
  })
  ctx.jobs.wake(PIN_CHANGED_QUEUE)
}

/**
 * What is stored of a new PIN of the caller's: its argon2 hash, encrypted, since so few PINs could all be tried against the hash alone.
 * @throws Invalid for one that is easily guessed.
 */
export async function sealPin(ctx: Ctx, secretsKey: SecretsKey | null, pin: string): Promise<Buffer> {
  const { id, phone } = requireActor(ctx)
  const problem = newPinProblem(pin, phone)
  if (problem !== null) throw new Invalid([{ path: 'pin', message: problem }])
  return sealSecret(await hashPassword(pin, await chooseLane(ctx, id)), secretsKey)
}

/** Wake the queue after the commit. */
export async function queuePinMail(tx: Tx, ctx: Ctx, about: Pick<PinChangedJob, 'userId' | 'to' | 'what'>) {
  await ctx.jobs.enqueue(tx, PIN_CHANGED_QUEUE, [pinChangedJob(about, ctx.now)])
}
