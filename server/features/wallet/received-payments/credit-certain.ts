import { isoDay } from '../../../../shared/dates.ts'
import type { Agreement } from '../../../../shared/received-payments.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { lockOwnersOf } from '../../people/numbers/confirmed-numbers.sql.ts'
import { creditRecharge } from '../recharges/credit-recharge.ts'
import { lockPendingOf, lockRecharge } from '../recharges/recharges.sql.ts'
import { selectClaimants } from './claims.sql.ts'
import { announceCredited, type Credited, linkApproved, nameOf, noteCredit, postToCustomer } from './credit-payment.ts'
import { hasProvenPayments, isActiveUser, selectCreditRules, selectTrust, sumAutomatic } from './credit-rules.sql.ts'
import { isOtherName, isOwner, numbersOf } from './match-payments.ts'
import { type PaymentMatchRow, readMatches } from './queries.ts'
import { countCredits, isPaid, lockPayment, type ReceivedPaymentRow, updateStanding } from './received-payments.sql.ts'

/**
 * Credits, without a person, what the shop's phones have brought: payments whose balance is proven and that match one pending request
 * for certain, or that one customer alone claims from their confirmed number, up to the owner's limits. Each in a transaction of its own that looks again; what it leaves waits for a person. Safe to
 * run twice or at once. Returns how many were credited.
 */
export async function creditCertain(ctx: Ctx): Promise<number> {
  if (!(await hasProvenPayments(ctx.db))) return 0
  let count = 0
  for (const match of await readMatches(ctx.db, ctx.now)) {
    const { payment, request, state, does, agrees, claims } = match
    if (!isProven(payment)) continue
    const isNoted = request !== null && does === 'note' && agrees.includes('reference')
    if (isNoted) await transaction(ctx.db, (tx) => linkApproved(tx, ctx, payment.id, null))
    const isCertain = state === 'certain' && does === 'approve' && request !== null
    if (!isCertain && (claims.length === 0 || agrees.includes('reference'))) continue
    const credited = await transaction(ctx.db, (tx) =>
      isCertain ? creditForRequest(tx, ctx, { paymentId: payment.id, rechargeId: request.id, agrees }) : creditClaim(tx, ctx, match),
    )
    if (!credited) continue
    count++
    await announceCredited(ctx, credited)
  }
  return count
}

/** What a person has pasted, or read from a statement, proves nothing by itself. */
function isProven({ status, doubts, source, forwarderId, keptAt }: ReceivedPaymentRow): boolean {
  return status === 'waiting' && doubts.length === 0 && source === 'phone' && forwarderId !== null && keptAt === null
}

type Wanted = { paymentId: string; rechargeId: string; agrees: readonly Agreement[] }

async function creditForRequest(tx: Tx, ctx: Ctx, { paymentId, rechargeId, agrees }: Wanted): Promise<Credited | null> {
  const payment = await lockProven(tx, ctx, paymentId)
  if (!payment || payment.notFor.includes(rechargeId)) return null
  const pending = await lockRecharge(tx, rechargeId)
  if (pending?.status !== 'pending' || pending.amountPesewas !== payment.amountPesewas) return null
  if ((await isPaid(tx, pending.id)) || !(await isActiveUser(tx, pending.userId))) return null
  if (!agrees.includes('reference')) {
    const owners = await lockOwnersOf(tx, numbersOf(payment))
    if (owners.some(({ userId }) => userId !== pending.userId)) return null
    if (payment.payerPhone === null || !isOwner(owners, pending.userId, [payment.payerPhone])) return null
  }
  const { amountPesewas } = payment
  const { recharge } = await creditRecharge(tx, ctx, pending, { amountPesewas, adminId: null, memo: nameOf(payment) })
  await noteCredit(tx, ctx, payment, { userId: recharge.userId, recharge, entryKey: `recharge:${recharge.id}`, adminId: null })
  await updateStanding(tx, payment.id, { status: 'credited', keptAt: null })
  return { amountPesewas, userId: recharge.userId, username: recharge.username, recharge }
}

/**
 * A claim is certain when nobody else makes it, and the network names a number that the customer has confirmed. MTN names no number: then the
 * owner may have said up to which amount the id alone is enough, unless the payer typed another's number. Who has only seen somebody's message
 * can register with the number or the name in it, but not confirm the number. What comes from a number that somebody else has confirmed waits.
 */
async function creditClaim(tx: Tx, ctx: Ctx, { payment: { id: paymentId }, claims }: PaymentMatchRow): Promise<Credited | null> {
  const payment = await lockProven(tx, ctx, paymentId)
  if (!payment) return null
  const claimants = await selectClaimants(tx, [payment.transactionId], ctx.now)
  const [claimant] = claimants
  if (!claimant || claimants.some(({ userId }) => userId !== claimant.userId) || !(await isActiveUser(tx, claimant.userId))) return null
  const { userId, username } = claimant
  const owners = await lockOwnersOf(tx, numbersOf(payment))
  if (owners.some((owner) => owner.userId !== userId)) return null
  const isKnown = claims.some((claim) => claim.userId === userId && claim.isKnown)
  const isTheirs = (phone: string | null) => phone !== null && isOwner(owners, userId, [phone])
  const isOwn = isTheirs(payment.payerPhone) && (isKnown || !isOtherName(username, payment.payerName))
  const { claimPesewas } = await selectCreditRules(tx)
  const namesNobodyElse = payment.payerPhone === null && (payment.typedPhone === null || isTheirs(payment.typedPhone))
  const isEnough = namesNobodyElse && payment.amountPesewas <= claimPesewas
  if (!isOwn && !isEnough) return null
  const { amountPesewas } = payment
  const pending = await lockPendingOf(tx, userId, amountPesewas)
  if (pending && !(await isPaid(tx, pending.id)) && !payment.notFor.includes(pending.id)) {
    const { recharge } = await creditRecharge(tx, ctx, pending, { amountPesewas, adminId: null, memo: nameOf(payment) })
    await noteCredit(tx, ctx, payment, { userId, recharge, entryKey: `recharge:${recharge.id}`, adminId: null })
    await updateStanding(tx, payment.id, { status: 'credited', keptAt: null })
    return { amountPesewas, userId, username, recharge }
  }
  const entryKey = await postToCustomer(tx, ctx, payment, { userId, adminId: null })
  await noteCredit(tx, ctx, payment, { userId, recharge: null, entryKey, adminId: null })
  await updateStanding(tx, payment.id, { status: 'credited', keptAt: null })
  return { amountPesewas, userId, username, recharge: null }
}

/** A proven payment, locked, if the owner's limits still have room for it. */
async function lockProven(tx: Tx, ctx: Ctx, paymentId: string): Promise<ReceivedPaymentRow | null> {
  const today = await sumAutomatic(tx, new Date(isoDay(ctx.now)))
  const payment = await lockPayment(tx, paymentId)
  // What a person took back is for a person.
  if (!payment || !isProven(payment) || (await countCredits(tx, payment.id)) > 0) return null
  const { mostPesewas, dailyPesewas, unsignedPesewas } = await selectCreditRules(tx)
  const trust = await selectTrust(tx, payment.forwarderId as string)
  if (!trust) return null
  const most = trust.signs ? mostPesewas : Math.min(mostPesewas, unsignedPesewas)
  return payment.amountPesewas <= most && today + payment.amountPesewas <= dailyPesewas ? payment : null
}
