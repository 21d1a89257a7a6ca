import { formatShortTime } from '../../../../shared/dates.ts'
import { maskPhone } from '../../../../shared/phones.ts'
import { ANSWERS_REPORTS } from '../../../../shared/staff-rules.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { AppError, NotFound } from '../../../platform/errors.ts'
import { lockActor, requireStaff } from '../../../platform/lock-actor.ts'
import { CHECKER_MAIL_QUEUE, CHECKER_SMS_QUEUE, type CheckerJob, checkerJob, type SmsJob, smsJob } from '../../../platform/queues.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import type { Vault } from '../../../platform/vault.ts'
import { withoutCodes } from '../../../platform/without-codes.ts'
import { CODE_GAPS, composeChecker, senderName } from '../../messages/sms/compose-message.ts'
import { selectIsDayFull } from '../../messages/sms/messages.sql.ts'
import { MOBILE } from '../../messages/sms/queries.ts'
import { sendMessage } from '../../messages/sms/send-message.ts'
import { areLesserMailsUsedUp, countLesserMail, giveBackMail } from '../../people/auth/count-mail.ts'
import type { ResetMail } from '../../people/auth/send-password-resets.ts'
import { selectUser } from '../../people/users/users.sql.ts'
import { lockOrder, type OrderRow, selectOrder } from '../orders/orders.sql.ts'
import { findOrderId } from '../orders/queries.ts'
import { type CodeRow, insertCodeMessage, selectCode, selectCodesOf, selectSendings } from './checkers.sql.ts'
import { announceCheckers } from './events.ts'
import { presentOwn } from './present.ts'
import { findGuestOrder } from './queries.ts'

const MINUTE_MS = 60_000
/** Each message costs the shop money. */
const FOR_BUYERS = { apartMs: 5 * MINUTE_MS, most: 5 }
const FOR_STAFF = { apartMs: MINUTE_MS, most: Number.POSITIVE_INFINITY }
/** Each order's mails that its buyer asks for. */
const MAILS = { size: 5, everyMs: 24 * 60 * MINUTE_MS }

/** `mails` is null for a shop that sends none. */
type Ways = { sms: SmsGateway; mails: { dailyCap: number } | null }

/**
 * After a sale: the codes go to the receiver's phone, once, and to a customer's e-mail address. Agents buy for others, and ask for a mail where they
 * want one. Does nothing for an order without codes.
 */
export async function sendNewCheckers(ctx: Ctx, { sms, mails }: Ways, { orderId }: CheckerJob): Promise<void> {
  const order = await selectOrder(ctx.db, orderId)
  const codes = order ? await selectCodesOf(ctx.db, orderId) : []
  if (!order || order.status === 'rejected' || codes.length === 0) return
  if (sms.sender && MOBILE.test(order.receiver)) {
    // The time of the sale names this sending: a job that runs twice sends once.
    await transaction(ctx.db, (tx) => queueMessages(tx, ctx, sms, { order, codes: codes.filter(isOriginal), askedAt: order.createdAt }))
    ctx.jobs.wake(CHECKER_SMS_QUEUE)
  }
  const buyer = order.userId === null ? null : await selectUser(ctx.db, order.userId)
  if (mails && buyer?.level === 'Customer') {
    await transaction(ctx.db, (tx) => ctx.jobs.enqueue(tx, CHECKER_MAIL_QUEUE, [checkerJob(orderId)]))
    ctx.jobs.wake(CHECKER_MAIL_QUEUE)
  }
  await announceCheckers(ctx, { onlySoldOut: true })
}

function isOriginal({ replacesId }: CodeRow) {
  return replacesId === null
}

/**
 * Sends the codes of an order of the caller's own again: to its receiver, or to the caller's e-mail address. Returns a sentence.
 * @throws NotFound, also for someone else's order; 409 CONFLICT when they were sent just now or often enough; TooManyAttempts
 */
export async function sendOwnCheckers(
  ctx: Ctx,
  { sms, mails, limiter }: Ways & { limiter: RateLimiter },
  { named, by }: { named: string; by: 'sms' | 'email' },
): Promise<string> {
  const orderId = await findOrderId(ctx, named)
  const sentence = await transaction(ctx.db, async (tx) => {
    const actor = await lockActor(tx, ctx)
    const order = await lockOrder(tx, orderId)
    if (order?.userId !== actor.id) throw new NotFound('order')
    if (by === 'sms') return sendAgain(tx, ctx, sms, order, FOR_BUYERS)
    if (order.status === 'rejected') throw new Refunded()
    if ((await selectCodesOf(tx, orderId)).length === 0) throw new NotFound('checker')
    if (!mails || (await areLesserMailsUsedUp(ctx, mails)))
      throw new AppError('CONFLICT', 'We can’t send e-mail at the moment. Choose SMS instead.')
    await limiter.take([{ name: `mails of checkers of ${orderId}`, ...MAILS }])
    await ctx.jobs.enqueue(tx, CHECKER_MAIL_QUEUE, [checkerJob(orderId)])
    return `We are sending it to ${requireActor(ctx).email}.`
  })
  ctx.jobs.wake(by === 'sms' ? CHECKER_SMS_QUEUE : CHECKER_MAIL_QUEUE)
  return sentence
}

/**
 * The same for a guest, to the order's receiver, as often as for a customer.
 * @throws as above, and what `findGuestOrder` throws
 */
export async function sendGuestCheckers(
  ctx: Ctx,
  { sms, limiter }: { sms: SmsGateway; limiter: RateLimiter },
  asked: { reference: string; phoneNumber: string },
): Promise<string> {
  const found = await findGuestOrder(ctx, limiter, asked)
  const sentence = await transaction(ctx.db, async (tx) => {
    const order = await lockOrder(tx, found.id)
    if (!order) throw new NotFound('order')
    return sendAgain(tx, ctx, sms, order, FOR_BUYERS)
  })
  ctx.jobs.wake(CHECKER_SMS_QUEUE)
  return sentence
}

/**
 * The same by SMS for staff.
 * @throws as above
 */
export async function sendCheckers(ctx: Ctx, sms: SmsGateway, named: string): Promise<string> {
  const orderId = await findOrderId(ctx, named)
  const sentence = await transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, ANSWERS_REPORTS)
    const order = await lockOrder(tx, orderId)
    if (!order) throw new NotFound('order')
    const said = await sendAgain(tx, ctx, sms, order, FOR_STAFF)
    await recordAdminAction(tx, ctx, {
      action: 'checkers.sent',
      subject: { type: 'order', id: orderId },
      after: { receiver: order.receiver },
    })
    return said
  })
  ctx.jobs.wake(CHECKER_SMS_QUEUE)
  return sentence
}

async function sendAgain(tx: Tx, ctx: Ctx, sms: SmsGateway, order: OrderRow, limit: typeof FOR_BUYERS): Promise<string> {
  const codes = (await selectCodesOf(tx, order.id)).filter(({ fault }) => fault === null)
  if (codes.length === 0) throw new NotFound('checker')
  if (order.status === 'rejected') throw new Refunded()
  if (!sms.sender || !MOBILE.test(order.receiver)) throw new AppError('CONFLICT', 'We can’t send it by SMS. Please call us.')
  const { lastAt, times } = await selectSendings(tx, order.id)
  const again = lastAt && new Date(lastAt.getTime() + limit.apartMs)
  if (again && again > ctx.now)
    throw new AppError(
      'CONFLICT',
      `We sent it at ${formatShortTime(lastAt, ctx.now)}. You can have it sent again from ${formatShortTime(again, ctx.now)}.`,
    )
  if (times > limit.most) throw new AppError('CONFLICT', 'We have sent it often enough by SMS. Please call us.')
  if (await selectIsDayFull(tx, ctx.now, { reserved: true }))
    throw new AppError('CONFLICT', 'We can’t send any more SMS today. Please call us.')
  await queueMessages(tx, ctx, sms, { order, codes, askedAt: ctx.now })
  return `We are sending it to ${maskPhone(order.receiver)}.`
}

/** The codes are the shop's again. */
class Refunded extends AppError {
  constructor() {
    super('CONFLICT', 'That order was refunded, so its checker is not sent again.')
  }
}

/** One message for each code, without the code: that is filled in as it is sent. Once for each code and `askedAt`. */
export async function queueMessages(
  tx: Tx,
  ctx: Ctx,
  sms: SmsGateway,
  { order, codes, askedAt }: { order: OrderRow; codes: readonly CodeRow[]; askedAt: Date },
): Promise<void> {
  if (!sms.sender || !MOBILE.test(order.receiver)) return
  for (const { id: codeId, name } of codes) {
    const body = composeChecker({ seq: order.seq, name, portal: '', ...CODE_GAPS }, senderName(order.soldBy, sms.shopName))
    const messageId = await insertCodeMessage(tx, { codeId, receiver: order.receiver, body, askedAt, now: ctx.now })
    if (messageId !== null) await ctx.jobs.enqueue(tx, CHECKER_SMS_QUEUE, [smsJob(messageId)])
  }
}

/**
 * Sends a message with a code. One whose code was replaced or whose order was refunded meanwhile is not sent.
 * @throws when the service did not take it; the job's retries apply
 */
export async function sendCheckerMessage(ctx: Ctx, sms: SmsGateway, vault: Vault | null, job: SmsJob): Promise<void> {
  await sendMessage(ctx, sms, job, {
    queue: CHECKER_SMS_QUEUE,
    fillIn: async (tx, { checkerCodeId }) => {
      const code = checkerCodeId === null ? null : await selectCode(tx, checkerCodeId)
      if (!code || code.fault !== null || code.isRefunded) return null
      const { name, portal, serial, pin } = presentOwn(vault, code)
      return composeChecker({ seq: code.orderSeq, name, portal, serial, pin }, senderName(code.soldBy, sms.shopName))
    },
  })
}

/**
 * Mails the codes of an order to its buyer. After an unknown outcome it is sent again: the buyer asked for it, and has it twice at worst.
 * @throws when the mail service is unavailable; the job's retries apply
 */
export async function sendCheckerMail(ctx: Ctx, mail: ResetMail, vault: Vault | null, { orderId }: CheckerJob): Promise<void> {
  const order = await selectOrder(ctx.db, orderId)
  const user = order?.userId ? await selectUser(ctx.db, order.userId) : null
  if (!order || order.status === 'rejected' || !user) return
  const codes = (await selectCodesOf(ctx.db, orderId)).filter(({ fault }) => fault === null).map((code) => presentOwn(vault, code))
  // Beyond half the day's mails none is sent: password mails come first, and the codes stand on the order's page.
  if (codes.length === 0 || !(await countLesserMail(ctx, mail, true))) return
  const sent = await mail.mailer.send({
    to: user.email,
    subject: `Your ${order.offer} checker, order ${order.seq}`,
    text: letter(user.username, order, codes, mail),
  })
  if (sent.outcome !== 'accepted') await giveBackMail(ctx)
  if (sent.outcome === 'unknown') throw new Error(`the mail service did not take it: ${withoutCodes(sent.reason)}`)
  if (sent.outcome === 'rejected') ctx.log.warn({ orderId, reason: withoutCodes(sent.reason) }, 'the mail with a checker was rejected')
}

type Codes = ReturnType<typeof presentOwn>[]

function letter(username: string, { seq }: OrderRow, codes: Codes, { shopName }: Pick<ResetMail, 'shopName'>): string {
  const lines = codes.map(({ name, portal, serial, pin }) => `${name}\nSerial: ${serial}\nPIN: ${pin}\nUse it at ${portal}`)
  return `Hello ${username},

here is what you bought with order ${seq}. Keep it to yourself: whoever has the PIN can use it.

${lines.join('\n\n')}

${shopName}
`
}
