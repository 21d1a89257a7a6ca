import { formatShortTime } from '../../../../shared/dates.ts'
import { SEES_WALLETS } from '../../../../shared/staff-rules.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { AppError, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { REFUND_CODE_QUEUE, type SmsJob, smsJob } from '../../../platform/queues.ts'
import { CODE_GAP, composeRefundCode } from '../../messages/sms/compose-message.ts'
import { insertMessage, selectIsDayFull } from '../../messages/sms/messages.sql.ts'
import { canText } from '../../messages/sms/queries.ts'
import { sendMessage } from '../../messages/sms/send-message.ts'
import { selectOrderByReference } from '../../orders/orders/orders.sql.ts'
import { createCode } from './create-codes.ts'
import { type CodeToSend, lockCodeToSend, markCodeSent } from './refunds.sql.ts'

const MINUTE_MS = 60_000
/** An order's link may be in other hands: whoever has it can make the shop send messages, and pays nothing for them. */
const FOR_GUESTS = { apartMs: 10 * MINUTE_MS, most: 5 }
const FOR_STAFF = { apartMs: MINUTE_MS, most: Number.POSITIVE_INFINITY }

/**
 * Sends the code of a refund to the number that paid, for its guest, who is known by the order's reference. The code itself is not
 * shown, since a link is passed on more easily than a phone. Returns the number.
 * @throws NotFound; 409 CONFLICT when nothing waits for a code, or it was sent just now or too often.
 */
export async function sendOwnCode(ctx: Ctx, sms: SmsGateway, reference: string): Promise<string> {
  const order = await selectOrderByReference(ctx.db, reference)
  if (!order || order.guestPhone === null) throw new NotFound('order')
  const sent = await transaction(ctx.db, async (tx) => {
    const refund = await lockCodeToSend(tx, { orderId: order.id })
    if (!refund) throw new AppError('CONFLICT', NO_CODE)
    return queueCode(tx, ctx, sms, refund, FOR_GUESTS)
  })
  ctx.jobs.wake(REFUND_CODE_QUEUE)
  return sent.phone
}

/**
 * The same for staff.
 * @throws as above, and NotFound for a refund that does not exist.
 */
export async function sendCode(ctx: Ctx, sms: SmsGateway, id: string): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, SEES_WALLETS)
    const refund = await lockCodeToSend(tx, { id })
    if (!refund) throw new NotFound('refund')
    await queueCode(tx, ctx, sms, refund, FOR_STAFF)
    await recordAdminAction(tx, ctx, {
      action: 'refund.send-code',
      subject: { type: 'refund', id },
      before: null,
      after: { phone: refund.phone, amountPesewas: refund.amountPesewas },
    })
  })
  ctx.jobs.wake(REFUND_CODE_QUEUE)
}

const NO_CODE = 'There is no code for this order. It may have been used.'

async function queueCode(tx: Tx, ctx: Ctx, sms: SmsGateway, refund: CodeToSend, limit: typeof FOR_GUESTS): Promise<CodeToSend> {
  const { status, phone, codeSentAt, codesSent, disputed } = refund
  if (status !== 'code') throw new AppError('CONFLICT', NO_CODE)
  if (disputed)
    throw new AppError('CONFLICT', 'The bank or the card provider is returning this payment, or has. Please ask us if in doubt.')
  if (!canText(sms, phone)) throw new AppError('CONFLICT', 'We can’t send it by SMS. Please call us.')
  const again = codeSentAt && new Date(codeSentAt.getTime() + limit.apartMs)
  if (again && again > ctx.now) {
    const times = `We sent it at ${formatShortTime(codeSentAt, ctx.now)}. You can have it sent again from ${formatShortTime(again, ctx.now)}.`
    throw new AppError('CONFLICT', times)
  }
  if (codesSent >= limit.most) throw new AppError('CONFLICT', 'We have sent it often enough by SMS. Please call us.')
  if (await selectIsDayFull(tx, ctx.now, { reserved: true }))
    throw new AppError('CONFLICT', 'We can’t send any more SMS today. Please try tomorrow, or call us.')
  await addCodeMessage(tx, ctx, sms, refund)
  return refund
}

/** Adds the message with a refund's code, and the job that sends it. Call it with the refund locked. */
export async function addCodeMessage(
  tx: Tx,
  ctx: Ctx,
  { shopName }: Pick<SmsGateway, 'shopName'>,
  { id: refundId, amountPesewas, phone, soldBy }: Pick<CodeToSend, 'id' | 'amountPesewas' | 'phone' | 'soldBy'>,
): Promise<void> {
  const id = await insertMessage(tx, {
    kind: 'refund-code',
    orderId: null,
    reportMessageId: null,
    refundId,
    receiver: phone,
    body: composeRefundCode({ amountPesewas, soldBy }, shopName),
    status: 'waiting',
    now: ctx.now,
  })
  await markCodeSent(tx, refundId, ctx.now)
  if (id !== null) await ctx.jobs.enqueue(tx, REFUND_CODE_QUEUE, [smsJob(id)])
}

/**
 * Sends a message with a code, which is made now, so that it stands nowhere but in the message. Not sent when the refund has ended.
 * @throws when the service did not take it; the job's retries apply, each with a new code.
 */
export async function sendCodeMessage(ctx: Ctx, gateway: SmsGateway, job: SmsJob): Promise<void> {
  await sendMessage(ctx, gateway, job, {
    queue: REFUND_CODE_QUEUE,
    fillIn: async (tx, { refundId, body }) => {
      const code = refundId === null ? null : await createCode(tx, refundId, ctx.now)
      return code === null ? null : body.replace(CODE_GAP, code)
    },
  })
}
