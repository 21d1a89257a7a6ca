import { type Ctx, requireActor } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { PIN_CHANGED_QUEUE } from '../../../platform/queues.ts'
import type { SecretsKey } from '../../../platform/seal-secret.ts'
import { checkPin, PinChangedMeanwhile } from './check-pin.ts'
import { queuePinMail } from './record-pin.ts'
import { deletePin } from './transaction-pin.sql.ts'

/**
 * Removes the caller's PIN, and a mail says so.
 * @throws as `checkPin` does.
 */
export async function endPin(ctx: Ctx, secretsKey: SecretsKey | null, currentPin: string): Promise<void> {
  const userId = requireActor(ctx).id
  const from = await checkPin(ctx, secretsKey, { userId, pin: currentPin, path: 'currentPin' })
  await transaction(ctx.db, async (tx) => {
    const { email } = await lockActor(tx, ctx)
    if (!(await deletePin(tx, userId, from))) throw new PinChangedMeanwhile()
    await queuePinMail(tx, ctx, { userId, to: email, what: 'ended' })
  })
  ctx.jobs.wake(PIN_CHANGED_QUEUE)
}
