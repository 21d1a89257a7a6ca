import { randomInt } from 'node:crypto'
import { PAYOUT_CODE_DIGITS } from '../../../shared/withdrawal-rules.ts'
import type { SmsGateway } from '../../integrations/sms/sms-gateway.ts'
import { type Ctx, requireActor } from '../../platform/context.ts'
import { type Tx, transaction } from '../../platform/db.ts'
import { AppError, NotFound } from '../../platform/errors.ts'
import { hashToken } from '../../platform/hash-token.ts'
import { lockActor, requirePassword } from '../../platform/lock-actor.ts'
import { PAYOUT_CODE_QUEUE, type SmsJob, smsJob } from '../../platform/queues.ts'
import { composePayoutCode, PAYOUT_CODE_GAP } from '../sms/compose-message.ts'
import { insertMessage, selectIsDayFull } from '../sms/messages.sql.ts'
import { MOBILE } from '../sms/notify-buyer.ts'
import { sendMessage } from '../sms/send-message.ts'
import { lockEarningsOf } from './earnings.sql.ts'
import { countCodesSent, insertPayoutCode, selectIsRemoved, selectPayoutNumber, updateCodeHash } from './payout-numbers.sql.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Between two codes of a shop to a number. */
const APART_MS = MINUTE_MS
const WORKS_FOR_MS = 10 * MINUTE_MS
/** In a day: the shop pays for each, and the number may be that of somebody who wants none. */
const MOST_TO_A_NUMBER = 6
const MOST_BY_A_SHOP = 10
export const REMOVED = 'That number was removed from your shop. Withdraw without a code, and we look first.'

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
    if (!sms.sender || !MOBILE.test(phone)) {
      throw new AppError('CONFLICT', 'We can’t send a code by SMS now. Withdraw without one, and we look first.')
    }
    const { toNumber, byShop, lastAt } = await countCodesSent(tx, { shopId, phone }, new Date(ctx.now.getTime() - DAY_MS))
    const waitMs = lastAt === null ? 0 : lastAt.getTime() + APART_MS - ctx.now.getTime()
    if (waitMs > 0) return { isConfirmed: false, waitMs }
    if (toNumber >= MOST_TO_A_NUMBER || byShop >= MOST_BY_A_SHOP) {
      throw new AppError('CONFLICT', 'We have sent enough codes for today. Withdraw without one, and we look first.')
    }
    if (await selectIsDayFull(tx, ctx.now)) {
      throw new AppError('CONFLICT', 'We can’t send any more SMS today. Withdraw without a code, and we look first.')
    }
    const id = await insertMessage(tx, {
      kind: 'payout-code',
      orderId: null,
      reportMessageId: null,
      payoutCodeId: await insertPayoutCode(tx, { shopId, phone, userId, now: ctx.now }),
      receiver: phone,
      body: composePayoutCode(sms.shopName),
      status: 'waiting',
      now: ctx.now,
    })
    if (id !== null) await ctx.jobs.enqueue(tx, PAYOUT_CODE_QUEUE, [smsJob(id)])
    return { isConfirmed: false, waitMs: APART_MS }
  })
  ctx.jobs.wake(PAYOUT_CODE_QUEUE)
  return reply
}

/**
 * Sends a message with a code, which is made now, so that it stands nowhere but in the message. Not sent when it was asked for so long
 * ago that nobody waits for it any more.
 * @throws when the service did not take it; the job's retries apply, each with a new code.
 */
export async function sendPayoutCodeMessage(ctx: Ctx, gateway: SmsGateway, job: SmsJob): Promise<void> {
  await sendMessage(ctx, gateway, job, {
    queue: PAYOUT_CODE_QUEUE,
    fillIn: async (tx, { payoutCodeId, body }) => {
      const code = payoutCodeId === null ? null : await createCode(tx, payoutCodeId, ctx.now)
      return code === null ? null : body.replace(PAYOUT_CODE_GAP, code)
    },
  })
}

async function createCode(tx: Tx, id: string, now: Date): Promise<string | null> {
  const code = String(randomInt(10 ** PAYOUT_CODE_DIGITS)).padStart(PAYOUT_CODE_DIGITS, '0')
  const askedSince = new Date(now.getTime() - WORKS_FOR_MS)
  const isWanted = await updateCodeHash(tx, {
    id,
    hash: hashPayoutCode(id, code),
    endsAt: new Date(now.getTime() + WORKS_FOR_MS),
    askedSince,
  })
  return isWanted ? code : null
}

/** With its id, so that equal codes have different hashes. */
export function hashPayoutCode(id: string, code: string): Buffer {
  return hashToken(`payout code ${id} ${code}`)
}
