import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { AppError, NotFound } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { PAYOUT_NUMBER_QUEUE, payoutNumberJob, SMS_QUEUE, smsJob } from '../../../platform/queues.ts'
import { composePayoutNumber } from '../../messages/sms/compose-message.ts'
import { insertMessage } from '../../messages/sms/messages.sql.ts'
import { MOBILE } from '../../messages/sms/queries.ts'
import { takeNumberCode, WrongCode } from '../../people/numbers/take-number-code.ts'
import { selectUser, type UserRow } from '../../people/users/users.sql.ts'
import { lockEarningsOf } from './earnings.sql.ts'
import { insertPayoutNumber, type PayoutNumber, selectIsRemoved, selectLoginChange, selectPayoutNumber } from './payout-numbers.sql.ts'
import { selectRules } from './rules.sql.ts'
import { INSTEAD, REMOVED } from './send-payout-code.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Who has a stranger's session and password may have changed what the stranger is told by; this long a change counts as late. */
const LATELY_MS = 7 * DAY_MS

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
  const found = await transaction(ctx.db, async (tx): Promise<{ number: PayoutNumber } | WrongCode> => {
    await lockActor(tx, ctx)
    // Whoever else types a code for this shop waits here, so that tries are counted one after the other.
    const earnings = await lockEarningsOf(tx, userId)
    if (!earnings) throw new NotFound('shop')
    const place = { shopId: earnings.shopId, phone }
    const before = await selectPayoutNumber(tx, place)
    if (before) return { number: before }
    if (await selectIsRemoved(tx, place)) throw new AppError('CONFLICT', REMOVED)
    const taken = await takeNumberCode(tx, ctx, { userId, ...place }, { code, instead: INSTEAD })
    if (taken instanceof WrongCode) return taken
    const freeAt = await findFreeAt(tx, ctx, userId)
    await insertPayoutNumber(tx, { ...place, codeId: taken.codeId, userId, now: ctx.now, freeAt })
    await addNews(tx, ctx, sms, (await selectUser(tx, userId)) as UserRow, phone)
    return { number: { phone, freeAt } }
  })
  if (found instanceof WrongCode) throw found
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
