import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import { addressKey } from '../../../platform/address-key.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { PAYOUT_CODE_QUEUE } from '../../../platform/queues.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import { bucketOf } from '../../../platform/shares.ts'
import { composeNumberCode } from '../../messages/sms/compose-message.ts'
import { lockUser } from '../users/users.sql.ts'
import { selectIsConfirmed } from './confirmed-numbers.sql.ts'
import { selectCodeFor } from './number-codes.sql.ts'
import { APART_MS, sendNumberCode } from './send-number-code.ts'

export const INSTEAD = 'Pay with the reference code meanwhile.'

/**
 * Sends a code to a number that the caller pays from, their own or another. Asked for again within a minute, it sends none and says how long to
 * wait. None is sent to a number that the caller has confirmed.
 * @throws 409 CONFLICT where nothing can be sent, or was sent too often; TooManyAttempts when accounts that never paid had too many sent to others'
 * numbers from the caller's address.
 */
export async function requestNumberCode(
  ctx: Ctx,
  sms: SmsGateway,
  limiter: RateLimiter,
  phone: string,
): Promise<{ isConfirmed: boolean; waitMs: number }> {
  const place = { userId: requireActor(ctx).id, shopId: null, phone }
  const { isOwn, isBuyer } = await selectCodeFor(ctx.db, place)
  const isFree = !isOwn && !isBuyer
  const bucket = bucketOf('codes to other numbers', addressKey(ctx.ip ?? ''))
  if (isFree) await limiter.take([bucket])
  const giveBack = async () => {
    if (isFree) await limiter.giveBack(bucket)
  }
  const reply = await transaction(ctx.db, async (tx) => {
    await lockUser(tx, place.userId)
    await lockActor(tx, ctx)
    if (await selectIsConfirmed(tx, place)) return { isConfirmed: true, waitMs: 0 }
    return {
      isConfirmed: false,
      waitMs: await sendNumberCode(tx, ctx, sms, place, { body: composeNumberCode(sms.shopName), instead: INSTEAD }),
    }
  }).catch(async (error: unknown) => {
    await giveBack()
    throw error
  })
  // None was sent.
  if (reply.waitMs < APART_MS) await giveBack()
  ctx.jobs.wake(PAYOUT_CODE_QUEUE)
  return reply
}
