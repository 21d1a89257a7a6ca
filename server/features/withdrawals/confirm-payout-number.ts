import { timingSafeEqual } from 'node:crypto'
import type { SmsGateway } from '../../integrations/sms/sms-gateway.ts'
import { type Ctx, requireActor } from '../../platform/context.ts'
import { type Tx, transaction } from '../../platform/db.ts'
import { AppError, Invalid, NotFound } from '../../platform/errors.ts'
import { lockActor } from '../../platform/lock-actor.ts'
import { PAYOUT_NUMBER_QUEUE, payoutNumberJob, SMS_QUEUE, smsJob } from '../../platform/queues.ts'
import { composePayoutNumber } from '../sms/compose-message.ts'
import { insertMessage } from '../sms/messages.sql.ts'
import { MOBILE } from '../sms/notify-buyer.ts'
import { selectUser, type UserRow } from '../users/users.sql.ts'
import { lockEarningsOf } from './earnings.sql.ts'
import {
  countWrongCodes,
  insertPayoutNumber,
  lockLiveCodes,
  markUsed,
  markWrong,
  type PayoutNumber,
  selectIsRemoved,
  selectLoginChange,
  selectPayoutNumber,
} from './payout-numbers.sql.ts'
import { selectRules } from './rules.sql.ts'
import { hashPayoutCode, REMOVED } from './send-payout-code.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Who has a stranger's session and password may have changed what the stranger is told by; this long a change counts as late. */
const LATELY_MS = 7 * DAY_MS
const MOST_WRONG = 5
/** In a day, over all codes of a shop: with six digits that meets one in 66,000 times. */
const MOST_WRONG_A_DAY = 15

/**
 * Confirms a number for the caller's earnings by its code, once; the account's own phone and mail address are told. Right after a change
 * of those or of the password, the number waits as long as the owner has set.
 * @throws NotFound without a shop; Invalid for a wrong code, which is counted; 409 CONFLICT when no code works any more.
 */
export async function confirmPayoutNumber(
  ctx: Ctx,
  sms: SmsGateway,
  { phone, code }: { phone: string; code: string },
): Promise<PayoutNumber> {
  const { id: userId } = requireActor(ctx)
  const found = await transaction(ctx.db, async (tx) => {
    await lockActor(tx, ctx)
    // Whoever else types a code for this shop waits here, so that tries are counted one after the other.
    const earnings = await lockEarningsOf(tx, userId)
    if (!earnings) throw new NotFound('shop')
    const place = { shopId: earnings.shopId, phone }
    const before = await selectPayoutNumber(tx, place)
    if (before) return { number: before }
    if (await selectIsRemoved(tx, place)) throw new AppError('CONFLICT', REMOVED)
    const dayBefore = new Date(ctx.now.getTime() - DAY_MS)
    const left = MOST_WRONG_A_DAY - (await countWrongCodes(tx, earnings.shopId, dayBefore))
    if (left <= 0) throw new AppError('CONFLICT', 'That was wrong too often for today. Withdraw without a code, and we look first.')
    const codes = await lockLiveCodes(tx, place, { now: ctx.now, mostWrong: MOST_WRONG })
    const right = codes.find(({ id, hash }) => timingSafeEqual(hash, hashPayoutCode(id, code)))
    const [newest] = codes
    if (!newest) throw new AppError('CONFLICT', 'That code has ended. Have a new one sent.')
    if (!right) {
      // Kept though it is refused, so it is thrown only after the commit.
      const ids = codes.map(({ id }) => id)
      await markWrong(tx, ids)
      return { left: Math.min(MOST_WRONG - newest.wrong - 1, left - ids.length) }
    }
    await markUsed(tx, right.id, ctx.now)
    const freeAt = await findFreeAt(tx, ctx, userId)
    await insertPayoutNumber(tx, { ...place, codeId: right.id, userId, now: ctx.now, freeAt })
    await addNews(tx, ctx, sms, (await selectUser(tx, userId)) as UserRow, phone)
    return { number: { phone, freeAt } }
  })
  if ('left' in found) throw new WrongCode(found.left)
  ctx.jobs.wake(SMS_QUEUE)
  ctx.jobs.wake(PAYOUT_NUMBER_QUEUE)
  return found.number
}

async function findFreeAt(tx: Tx, ctx: Ctx, userId: string): Promise<Date> {
  const changedAt = await selectLoginChange(tx, userId)
  if (changedAt === null || changedAt.getTime() < ctx.now.getTime() - LATELY_MS) return ctx.now
  const { numberHoldHours } = await selectRules(tx)
  return new Date(ctx.now.getTime() + numberHoldHours * HOUR_MS)
}

/** A message to the account's phone, unless it is the very number, and a mail. */
async function addNews(tx: Tx, ctx: Ctx, sms: SmsGateway, user: UserRow, phone: string) {
  await ctx.jobs.enqueue(tx, PAYOUT_NUMBER_QUEUE, [payoutNumberJob({ userId: user.id, to: user.email, phone }, ctx.now)])
  if (!sms.sender || !MOBILE.test(user.phone) || user.phone === phone) return
  const id = await insertMessage(tx, {
    kind: 'payout-number',
    orderId: null,
    reportMessageId: null,
    receiver: user.phone,
    body: composePayoutNumber({ phone }, sms),
    status: 'waiting',
    now: ctx.now,
  })
  if (id !== null) await ctx.jobs.enqueue(tx, SMS_QUEUE, [smsJob(id)])
}

class WrongCode extends Invalid {
  constructor(left: number) {
    const tries = left <= 0 ? 'Have a new one sent.' : left === 1 ? 'You have 1 more try.' : `You have ${left} more tries.`
    super([{ path: 'code', message: `That is not the code. ${tries}` }])
  }
}
