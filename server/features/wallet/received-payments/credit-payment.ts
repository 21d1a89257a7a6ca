import { formatDateTime, formatLongDate } from '../../../../shared/dates.ts'
import { formatPesewas, toPesewas } from '../../../../shared/money.ts'
import type { CreditPaymentRequest } from '../../../../shared/received-payments.ts'
import { MOBILE_MONEY_RECEIVED } from '../../../ledger/accounts.ts'
import { lockWalletOf, postTransfer } from '../../../ledger/ledger.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { AppError, Invalid, NotFound } from '../../../platform/errors.ts'
import { requirePassword, requireStaff } from '../../../platform/lock-actor.ts'
import type { Uncounted } from '../../messages/message-formats/parse-message.ts'
import { announceApprovals } from '../../people/approvals/events.ts'
import { SecondPersonNeeded } from '../../people/approvals/request-approval.ts'
import { requestSecondPerson } from '../../people/approvals/request-second-person.ts'
import { selectStaffRules } from '../../people/second-factor/staff-rules.sql.ts'
import { announceUserById } from '../../people/users/events.ts'
import { selectUser } from '../../people/users/users.sql.ts'
import { creditRecharge } from '../recharges/credit-recharge.ts'
import { announceRecharge } from '../recharges/events.ts'
import { lockRecharge, type RechargeRow } from '../recharges/recharges.sql.ts'
import { reopenLocked } from '../recharges/reopen-recharge.ts'
import { eightDigits, numbersOf } from './match-payments.ts'
import {
  countCredits,
  insertCredit,
  isPaid,
  lockPayment,
  type ReceivedPaymentRow,
  selectCredit,
  speaksForAnother,
  updateStanding,
} from './received-payments.sql.ts'

/** What was credited, in pesewas, and to whom. */
export type Credited = { amountPesewas: number; userId: string; username: string; recharge: RechargeRow | null }

/**
 * Credits a payment that waits, with what came in: for a request (reopened first if it was declined; only noted if it was approved
 * by hand for the same amount), or to a customer. Sent again for the same customer, it changes nothing.
 * @throws NotFound, AlreadyDecided, PasswordNeeded, 409 CONFLICT when the payment is not as the screen showed it or the request is
 * paid; SecondPersonNeeded when no money moved and the others were asked.
 */
export async function creditPayment(ctx: Ctx, id: string, request: CreditPaymentRequest): Promise<Credited> {
  const credited = await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, 'finance')
    return creditLocked(tx, ctx, { ...request, id, adminId: admin.id, onlyCertain: false })
  })
  if (credited instanceof SecondPersonNeeded) {
    announceApprovals(ctx)
    throw credited
  }
  await announceCredited(ctx, credited)
  return credited
}

export async function announceCredited(ctx: Ctx, { recharge, userId }: Credited) {
  if (recharge) announceRecharge(ctx, recharge)
  await announceUserById(ctx, userId)
}

type Wanted = CreditPaymentRequest & { id: string; adminId: string; onlyCertain: boolean }

/**
 * The same within the caller's transaction, which must commit what is returned instead of thrown: that others were asked.
 * `onlyCertain` refuses a payment that has doubts, and requests that are not pending.
 */
export async function creditLocked(tx: Tx, ctx: Ctx, wanted: Wanted): Promise<Credited | SecondPersonNeeded> {
  const payment = await lockPayment(tx, wanted.id)
  if (!payment) throw new NotFound('payment')
  if (payment.status !== 'waiting') return repeatCredit(tx, payment, wanted)
  if (payment.amountPesewas !== toPesewas(wanted.amount)) {
    throw new AppError('CONFLICT', `This payment is ¢${formatPesewas(payment.amountPesewas)} by now. Please look at it again.`)
  }
  if (wanted.onlyCertain && payment.doubts.length > 0)
    throw new AppError('CONFLICT', 'This payment is doubtful by now. Please look at it again.')
  const credited = wanted.rechargeId
    ? await creditForRequest(tx, ctx, payment, { ...wanted, rechargeId: wanted.rechargeId })
    : await creditToCustomer(tx, ctx, payment, wanted)
  if (credited instanceof SecondPersonNeeded) return credited
  await updateStanding(tx, payment.id, { status: 'credited', keptAt: null })
  return credited
}

/** The answer to a request that was carried out before. */
async function repeatCredit(tx: Tx, payment: ReceivedPaymentRow, { rechargeId, userId }: Wanted): Promise<Credited> {
  const credit = await selectCredit(tx, payment.id)
  if (!credit) throw new AppError('ALREADY_DECIDED', 'Somebody dismissed this payment.')
  const isSame = rechargeId ? credit.rechargeId === rechargeId : credit.rechargeId === null && credit.userId === userId
  if (!isSame) {
    throw new AppError('ALREADY_DECIDED', `Counted already: credited to ${credit.username} on ${formatLongDate(credit.creditedAt)}.`)
  }
  return { amountPesewas: payment.amountPesewas, userId: credit.userId, username: credit.username, recharge: null }
}

async function creditForRequest(
  tx: Tx,
  ctx: Ctx,
  payment: ReceivedPaymentRow,
  { rechargeId, adminId, onlyCertain }: Wanted & { rechargeId: string },
): Promise<Credited | SecondPersonNeeded> {
  const found = await lockRecharge(tx, rechargeId)
  if (!found) throw new NotFound('recharge')
  if (await isPaid(tx, found.id)) throw new AppError('CONFLICT', `Request ${found.rechargeId} was credited already, by another payment.`)
  if (onlyCertain && found.status !== 'pending') throw new AppError('CONFLICT', `Request ${found.rechargeId} is ${found.status} by now.`)
  if (found.status === 'approved') {
    if (found.creditedPesewas !== payment.amountPesewas) {
      const credited = formatPesewas(found.creditedPesewas ?? 0)
      throw new AppError('CONFLICT', `Request ${found.rechargeId} was approved with ¢${credited}, so it is not for this payment.`)
    }
    await noteCredit(tx, ctx, payment, { userId: found.userId, recharge: found, entryKey: `recharge:${found.id}`, adminId })
    return { amountPesewas: payment.amountPesewas, userId: found.userId, username: found.username, recharge: null }
  }
  const second = await askSecondPerson(tx, ctx, payment, { adminId, userId: found.userId, rechargeId: found.id })
  if (second instanceof SecondPersonNeeded) return second
  const pending = found.status === 'declined' ? await reopenLocked(tx, ctx, found) : found
  const { amountPesewas } = payment
  const { recharge } = await creditRecharge(tx, ctx, pending, { amountPesewas, adminId, memo: nameOf(payment), ...second })
  await noteCredit(tx, ctx, payment, { userId: recharge.userId, recharge, entryKey: `recharge:${recharge.id}`, adminId, ...second })
  return { amountPesewas, userId: recharge.userId, username: recharge.username, recharge }
}

async function creditToCustomer(
  tx: Tx,
  ctx: Ctx,
  payment: ReceivedPaymentRow,
  { userId, adminId }: Wanted,
): Promise<Credited | SecondPersonNeeded> {
  if (!userId) throw new Invalid([{ path: 'userId', message: 'Say which request or which customer it is for.' }])
  const user = await selectUser(tx, userId)
  if (!user) throw new NotFound('user')
  const { passwordAbovePesewas } = await selectStaffRules(tx)
  // Without a request nothing but the message says that the money came.
  if (passwordAbovePesewas !== null && payment.amountPesewas > passwordAbovePesewas) await requirePassword(tx, ctx)
  const second = await askSecondPerson(tx, ctx, payment, { adminId, userId })
  if (second instanceof SecondPersonNeeded) return second
  const entryKey = await postToCustomer(tx, ctx, payment, { userId, adminId })
  await noteCredit(tx, ctx, payment, { userId, recharge: null, entryKey, adminId, ...second })
  return { amountPesewas: payment.amountPesewas, userId, username: user.username, recharge: null }
}

/** Moves a payment's money into a customer's wallet without a request, in the caller's transaction. Returns the entry's key. */
export async function postToCustomer(
  tx: Tx,
  ctx: Ctx,
  payment: ReceivedPaymentRow,
  { userId, adminId }: { userId: string; adminId: string | null },
): Promise<string> {
  const wallet = await lockWalletOf(tx, userId, ctx.now)
  // After a wrong credit was taken back, the same payment is credited under a further key.
  const earlier = await countCredits(tx, payment.id)
  const entryKey = `momo:${payment.network}:${payment.transactionId}${earlier === 0 ? '' : `:${earlier + 1}`}`
  const { amountPesewas } = payment
  await postTransfer(tx, {
    key: entryKey,
    kind: 'admin-credit',
    memo: nameOf(payment),
    actorId: adminId,
    lines: [
      { accountId: wallet.accountId, amountPesewas },
      { accountId: MOBILE_MONEY_RECEIVED, amountPesewas: -amountPesewas },
    ],
    now: ctx.now,
  })
  return entryKey
}

/**
 * Nobody credits alone above the owner's limit, if there is anybody else, what they have pasted themselves (no phone has brought it), or
 * what speaks for another customer, such as what was credited to them once.
 */
async function askSecondPerson(
  tx: Tx,
  ctx: Ctx,
  payment: ReceivedPaymentRow,
  { adminId, userId, rechargeId }: { adminId: string; userId: string; rechargeId?: string },
): Promise<{ proposedBy: string | null; isAlone: boolean } | SecondPersonNeeded> {
  const { id: paymentId, amountPesewas, receivedById, source } = payment
  const facts = { userId, amountPesewas, paymentId, ...(rechargeId !== undefined && { rechargeId }) }
  const topUp = { action: 'payment.credit' as const, ...facts, note: nameOf(payment), showNote: false }
  const isPasted = source !== 'phone' && receivedById === adminId
  const isAlone = isPasted || (await isOfAnother(tx, payment, userId))
  const second = await requestSecondPerson(tx, ctx, topUp, { isSeen: !isAlone })
  return second === 'proposed' ? new SecondPersonNeeded({ isOwn: userId === adminId }) : { ...second, isAlone }
}

/** Whether a payment was another customer's once, or its reference or number says so. */
function isOfAnother(tx: Tx, payment: ReceivedPaymentRow, userId: string): Promise<boolean> {
  const clues = { references: [...eightDigits(payment.reference)], phones: numbersOf(payment) }
  return speaksForAnother(tx, { paymentId: payment.id, userId, ...clues })
}

/** `adminId` is null for what the shop credits by itself, which is no action of an admin. */
type Noted = {
  userId: string
  recharge: RechargeRow | null
  entryKey: string
  adminId: string | null
  proposedBy?: string | null
  isAlone?: boolean
}

/** Keeps who got a payment's money, in the transaction that moves it. */
export async function noteCredit(
  tx: Tx,
  ctx: Ctx,
  payment: ReceivedPaymentRow,
  { userId, recharge, entryKey, adminId, proposedBy = null, isAlone = false }: Noted,
) {
  await insertCredit(tx, {
    paymentId: payment.id,
    amountPesewas: payment.amountPesewas,
    userId,
    rechargeId: recharge?.id ?? null,
    entryKey,
    by: adminId,
    at: ctx.now,
  })
  if (adminId === null) return
  await recordAdminAction(tx, ctx, {
    action: 'payment.credit',
    subject: { type: 'user', id: userId },
    after: {
      amountPesewas: payment.amountPesewas,
      network: payment.network,
      transactionId: payment.transactionId,
      ...(proposedBy !== null && { proposedBy }),
      ...(isAlone && { alone: true }),
    },
    note: recharge ? `For request ${recharge.rechargeId}` : '',
  })
}

/** What customers and staff read about a payment: "MTN 83724298138 from AMA SAMPLE". */
export function nameOf({ network, transactionId, payerName }: ReceivedPaymentRow): string {
  return `${network === 'Other' ? 'Mobile money' : network} ${transactionId}${payerName ? ` from ${payerName}` : ''}`
}

/**
 * Notes that a payment which was just read is the one for which a request was approved by hand: the request is in its reference,
 * was credited with the same amount, and no other payment was for it. Null when it is not so.
 */
export async function linkApproved(tx: Tx, ctx: Ctx, id: string, adminId: string | null): Promise<Uncounted | null> {
  const payment = await lockPayment(tx, id)
  if (!payment || payment.doubts.length > 0) return null
  for (const reference of eightDigits(payment.reference)) {
    const recharge = await lockRecharge(tx, reference)
    if (recharge?.status !== 'approved' || recharge.creditedPesewas !== payment.amountPesewas) continue
    if (await isPaid(tx, recharge.id)) continue
    await noteCredit(tx, ctx, payment, { userId: recharge.userId, recharge, entryKey: `recharge:${recharge.id}`, adminId })
    await updateStanding(tx, payment.id, { status: 'credited', keptAt: null })
    const says = `Request ${recharge.rechargeId} of ${recharge.username} was approved by hand. Read ${formatDateTime(ctx.now)}.`
    return { ...payment, kind: 'counted', says }
  }
  return null
}
