import { randomInt } from 'node:crypto'
import { formatShortTime } from '../../../../shared/dates.ts'
import { maskPhone } from '../../../../shared/phones.ts'
import type { PinReset } from '../../../../shared/transaction-pin.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { AppError } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { PIN_CHANGED_QUEUE, PIN_CODE_QUEUE, type SmsJob, smsJob } from '../../../platform/queues.ts'
import { bucketOf } from '../../../platform/shares.ts'
import { composePinCode, PIN_CODE_GAP } from '../../messages/sms/compose-message.ts'
import { insertMessage, selectIsDayFull } from '../../messages/sms/messages.sql.ts'
import { MOBILE } from '../../messages/sms/queries.ts'
import { sendMessage } from '../../messages/sms/send-message.ts'
import { checkOwnPassword } from '../account/check-own-password.ts'
import { selectIsConfirmed } from '../numbers/confirmed-numbers.sql.ts'
import type { CodeChecks } from '../second-factor/check-code.ts'
import { selectSecondFactor } from '../second-factor/second-factor.sql.ts'
import { NoPin } from './check-pin.ts'
import { queuePinMail } from './record-pin.ts'
import { lockPin, noteResetAsked, updateResetCode } from './transaction-pin.sql.ts'

const MINUTE_MS = 60_000
export const CODE_VALID_MS = 10 * MINUTE_MS
/** Where no SMS can be sent, the owner has this long to notice the mail, if it was not them who asked. */
export const WAIT_MS = 24 * 60 * MINUTE_MS
const DAY_MS = 24 * 60 * MINUTE_MS
const MOST_A_DAY = 5

/**
 * For a forgotten PIN: sends a code to the caller's number. Staff with an authenticator app use that instead; where no SMS can be sent, or the
 * number, e-mail address or password was changed within a day, the caller waits for a day, and a mail says that a new PIN was asked for.
 * @throws Invalid for a wrong password, TooManyAttempts, 409 without a PIN, or when a code was sent just now or too often.
 */
export async function sendResetCode(ctx: Ctx, { limiter }: CodeChecks, sms: SmsGateway, password: string): Promise<PinReset> {
  const { id: userId, phone } = requireActor(ctx)
  await checkOwnPassword(ctx, limiter, password)
  const isOwn = await selectIsConfirmed(ctx.db, { userId, phone })
  // An account is new at will, and so is the stranger's number in it.
  if (!isOwn) await limiter.take([bucketOf('codes to unconfirmed numbers', phone)])
  const reply = await transaction(ctx.db, async (tx): Promise<PinReset> => {
    const { email } = await lockActor(tx, ctx)
    const pin = await lockPin(tx, userId)
    if (!pin) throw new NoPin()
    if ((await selectSecondFactor(tx, userId))?.confirmedAt) return { by: 'app' }
    const askedAt = pin.resetAskedAt
    const cannotSend = !sms.sender || !MOBILE.test(phone) || (await selectIsDayFull(tx, ctx.now, { reserved: isOwn }))
    // Whoever has the password alone could have the code sent to a number of their own.
    if (cannotSend || pin.loginChangedAt > new Date(ctx.now.getTime() - DAY_MS)) {
      // Asking again does not begin the day anew.
      const isWaiting = askedAt !== null && !pin.hasCode && ctx.now.getTime() - askedAt.getTime() < 2 * WAIT_MS
      if (!isWaiting) {
        await noteResetAsked(tx, userId, { messageId: null, now: ctx.now })
        await queuePinMail(tx, ctx, { userId, to: email, what: 'asked' })
      }
      return { by: 'wait', from: new Date((isWaiting ? askedAt : ctx.now).getTime() + WAIT_MS).toISOString() }
    }
    const again = askedAt && new Date(askedAt.getTime() + (pin.resets % MOST_A_DAY === 0 ? DAY_MS : MINUTE_MS))
    if (again && again > ctx.now) {
      throw new AppError('CONFLICT', `You asked a moment ago. You can ask for another code from ${formatShortTime(again, ctx.now)}.`)
    }
    const body = composePinCode(sms.shopName)
    const about = { orderId: null, reportMessageId: null, receiver: phone, body, reserved: isOwn }
    const messageId = await insertMessage(tx, { kind: 'alarm', ...about, status: 'waiting', now: ctx.now })
    if (messageId === null) throw new Error('the message with the code was not added')
    await noteResetAsked(tx, userId, { messageId, now: ctx.now })
    await ctx.jobs.enqueue(tx, PIN_CODE_QUEUE, [smsJob(messageId)])
    return { by: 'sms', to: maskPhone(phone) }
  })
  ctx.jobs.wake(PIN_CODE_QUEUE)
  ctx.jobs.wake(PIN_CHANGED_QUEUE)
  return reply
}

/**
 * Sends the message with a code, which is made now, so that it stands nowhere but in the message.
 * @throws when the service did not take it; the job's retries apply, each with a new code.
 */
export async function sendPinCode(ctx: Ctx, gateway: SmsGateway, job: SmsJob): Promise<void> {
  await sendMessage(ctx, gateway, job, {
    queue: PIN_CODE_QUEUE,
    fillIn: async (tx: Tx, { id: messageId, body }) => {
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      const askedSince = new Date(ctx.now.getTime() - CODE_VALID_MS)
      if (!(await updateResetCode(tx, { messageId, hash: hashResetCode(code), askedSince }))) return null
      return body.replace(PIN_CODE_GAP, code)
    },
  })
}

export function hashResetCode(code: string): Buffer {
  return hashToken(`code for a new pin ${code}`)
}
