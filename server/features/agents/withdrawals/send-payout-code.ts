import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, NotFound } from '../../../platform/errors.ts'
import { lockActor, requirePassword } from '../../../platform/lock-actor.ts'
import { PAYOUT_CODE_QUEUE } from '../../../platform/queues.ts'
import { composePayoutCode } from '../../messages/sms/compose-message.ts'
import { sendNumberCode } from '../../people/numbers/send-number-code.ts'
import { lockEarningsOf } from './earnings.sql.ts'
import { selectIsRemoved, selectPayoutNumber } from './payout-numbers.sql.ts'

export const REMOVED = 'That number was removed from your shop. Withdraw without a code, and we look first.'
export const INSTEAD = 'Withdraw without a code, and we look first.'

/**
 * Sends a code to a number that the caller's earnings shall go to. Asked for again within a minute, it sends none and says how long to
 * wait, so that two tabs send one.
 * @throws NotFound without a shop; PasswordNeeded; 409 CONFLICT where nothing can be sent, or was sent too often.
 */
export async function sendPayoutCode(ctx: Ctx, sms: SmsGateway, phone: string): Promise<{ isConfirmed: boolean; waitMs: number }> {
  const { id: userId } = requireActor(ctx)
  const reply = await transaction(ctx.db, async (tx) => {
    await lockActor(tx, ctx)
    const earnings = await lockEarningsOf(tx, userId)
    if (!earnings) throw new NotFound('shop')
    await requirePassword(tx, ctx)
    const { shopId } = earnings
    if (await selectPayoutNumber(tx, { shopId, phone })) return { isConfirmed: true, waitMs: 0 }
    if (await selectIsRemoved(tx, { shopId, phone })) throw new AppError('CONFLICT', REMOVED)
    const text = { body: composePayoutCode(sms.shopName), instead: INSTEAD }
    return { isConfirmed: false, waitMs: await sendNumberCode(tx, ctx, sms, { userId, shopId, phone }, text) }
  })
  ctx.jobs.wake(PAYOUT_CODE_QUEUE)
  return reply
}
