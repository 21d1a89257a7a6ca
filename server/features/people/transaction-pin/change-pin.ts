import { type Ctx, requireActor } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { PIN_CHANGED_QUEUE } from '../../../platform/queues.ts'
import type { SecretsKey } from '../../../platform/seal-secret.ts'
import { checkPin, PinChangedMeanwhile } from './check-pin.ts'
import { queuePinMail, sealPin } from './record-pin.ts'
import { updatePin } from './transaction-pin.sql.ts'

/**
 * Changes the caller's PIN, or whether purchases on the site ask for it. Proofs of the old PIN end.
 * @throws as `checkPin` does; Invalid for a PIN that is easily guessed.
 */
export async function changePin(
  ctx: Ctx,
  secretsKey: SecretsKey | null,
  { currentPin, pin, atCheckout }: { currentPin: string; pin?: string | undefined; atCheckout?: boolean | undefined },
): Promise<void> {
  const userId = requireActor(ctx).id
  const to = pin === undefined ? null : await sealPin(ctx, secretsKey, pin)
  const from = await checkPin(ctx, secretsKey, { userId, pin: currentPin, path: 'currentPin' })
  await transaction(ctx.db, async (tx) => {
    const { email } = await lockActor(tx, ctx)
    if (!(await updatePin(tx, { userId, from, to, atCheckout: atCheckout ?? null, now: ctx.now }))) throw new PinChangedMeanwhile()
    await queuePinMail(tx, ctx, { userId, to: email, what: 'changed' })
  })
  ctx.jobs.wake(PIN_CHANGED_QUEUE)
}
