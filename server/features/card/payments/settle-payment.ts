import { formatPesewas } from '../../../../shared/money.ts'
import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import type { Verification } from '../../../integrations/payments/card-payments.ts'
import { AGENT_UPGRADE_FEES, CARD_PAYMENTS_RECEIVED, PROVIDER_FEES } from '../../../ledger/accounts.ts'
import { lockWalletOf, postTransfer, type Wallet } from '../../../ledger/ledger.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { countOrders, countPayment } from '../../../platform/metrics.ts'
import { announceBulk } from '../../orders/bulk/events.ts'
import { announceOrder } from '../../orders/orders/events.ts'
import type { OrderRow } from '../../orders/orders/orders.sql.ts'
import { announceUserById } from '../../people/users/events.ts'
import { updateLevel } from '../../people/users/users.sql.ts'
import { CLOSE_AFTER_MS, chooseCheckTime, FORGET_AFTER_MS } from './choose-check-time.ts'
import { announcePayment } from './events.ts'
import { keepLeft } from './hold-top-up.ts'
import {
  isOwned,
  lockPayment,
  lockUpgradingUser,
  markSettled,
  markUnpaid,
  type OwnedPayment,
  type PaymentRow,
  type Settled,
  scheduleCheck,
  selectPayment,
} from './payments.sql.ts'
import { type PlacedLines, placeLines } from './place-lines.ts'
import { bookReturns } from './record-return.ts'
import { settleGuestPayment } from './settle-guest-payment.ts'
import { settleTopUp } from './settle-top-up.ts'
import { keepUnspent } from './spend-rest.ts'

export type Paid = Extract<Verification, { outcome: 'paid' }>
type UpgradingUser = NonNullable<Awaited<ReturnType<typeof lockUpgradingUser>>>
type Settlement = Settled & { orders: OrderRow[]; list?: PlacedLines['list'] }

/**
 * Queries the card provider about a payment and, if it was paid, fulfils it exactly once. The browser's return, webhook
 * events and polling all call this, in any order. Money that cannot buy what it was meant for goes to the payer's wallet or
 * is held for the operator with a reason.
 * @throws NotFound when there is no such payment.
 */
export async function settlePayment(ctx: Ctx, gateway: CardGateway, reference: string): Promise<PaymentRow> {
  const known = await selectPayment(ctx.db, reference)
  if (!known) throw new NotFound('payment')
  if (isSettled(known)) return known

  const verification = await gateway.card.verify(reference)
  if (verification.outcome === 'paid') await fulfil(ctx, gateway, reference, verification)
  else await keepLooking(ctx, known, verification)
  return (await selectPayment(ctx.db, reference)) as PaymentRow
}

/** True once money has arrived; the provider is not queried any more. */
export function isSettled(payment: PaymentRow): boolean {
  return payment.status === 'paid' || payment.status === 'held'
}

async function keepLooking(ctx: Ctx, { reference, createdAt }: PaymentRow, verification: Exclude<Verification, Paid>) {
  const ageMs = ctx.now.getTime() - createdAt.getTime()
  const checkAt = ageMs < FORGET_AFTER_MS ? chooseCheckTime(createdAt, ctx.now) : null
  // An unknown answer says nothing about the money, so it never closes a payment.
  if (verification.outcome === 'unknown') return scheduleCheck(ctx.db, reference, chooseCheckTime(createdAt, ctx.now), null)
  const { reason } = verification
  const isOver = verification.outcome === 'reversed' || verification.final
  const closed = isOver
    ? await markUnpaid(ctx.db, reference, { status: 'failed', reason })
    : ageMs >= CLOSE_AFTER_MS && (await markUnpaid(ctx.db, reference, { status: 'expired', reason, checkAt }))
  if (closed) await announcePayment(ctx, reference)
  else if (!isOver) await scheduleCheck(ctx.db, reference, checkAt, verification.progress ?? null)
}

type Fulfilled = { payment: PaymentRow; settlement: Settlement }

/** Fulfils a payment that the provider reports as paid, unless that was already done. */
export async function fulfil(ctx: Ctx, gateway: CardGateway, reference: string, paid: Paid) {
  const done = await transaction(ctx.db, (tx) => fulfilWithin(tx, ctx, gateway, reference, paid))
  if (done) await announceFulfilled(ctx, done)
}

/** The same within a transaction, after which `announceFulfilled` is called. Null when it was already done. */
export async function fulfilWithin(tx: Tx, ctx: Ctx, gateway: CardGateway, reference: string, paid: Paid): Promise<Fulfilled | null> {
  // Lock the user before the payment and the wallet, in the same order as an admin's write.
  const upgrading = await lockUpgradingUser(tx, reference)
  const payment = await lockPayment(tx, reference)
  if (!payment || isSettled(payment)) return null
  const settlement = await settle(tx, ctx, gateway, payment, upgrading, paid)
  await markSettled(tx, reference, { ...settlement, now: ctx.now })
  if (settlement.receivedPesewas > 0) await bookProviderFee(tx, ctx, reference, paid)
  await bookReturns(tx, ctx, payment)
  return { payment, settlement }
}

export async function announceFulfilled(ctx: Ctx, { payment, settlement }: Fulfilled) {
  const { reference } = payment
  countPayment(settlement.status === 'paid' ? 'settled' : 'held')
  countOrders(settlement.orders)
  if (settlement.status === 'held') ctx.log.warn({ reference, reason: settlement.reason }, 'a card payment is held')
  for (const order of settlement.orders) announceOrder(ctx, order)
  if (settlement.list && isOwned(payment)) {
    const paidWith = payment.purpose === 'top-up' ? 'wallet' : 'card'
    await announceBulk(ctx, payment.userId, { ...settlement.list, paidWith })
  } else await announceUserById(ctx, payment.userId)
  await announcePayment(ctx, reference)
}

async function settle(
  tx: Tx,
  ctx: Ctx,
  gateway: CardGateway,
  payment: PaymentRow,
  upgrading: UpgradingUser | null,
  paid: Paid,
): Promise<Settlement> {
  const nothing = { inWallet: false, receivedPesewas: 0, orders: [], ...(payment.purpose === 'top-up' && { toppedUpPesewas: 0 }) }
  const held = { ...nothing, status: 'held' as const }
  // In neither case did we receive cedis, so nothing is booked and the operator sorts it out with the provider.
  if (paid.isTest !== gateway.isTest)
    return { ...held, reason: paid.isTest ? 'a test payment in a live shop' : 'a live payment in a sandbox' }
  if (paid.currency !== 'GHS') return { ...held, reason: `paid in ${paid.currency}, not in GHS` }

  if (!isOwned(payment)) return settleGuestPayment(tx, ctx, payment, paid.amountPesewas)
  const wallet = await lockWalletOf(tx, payment.userId, ctx.now)
  if (payment.purpose === 'top-up') return settleTopUp(tx, ctx, payment, wallet, paid.amountPesewas)
  const due = payment.pricePesewas + payment.surchargePesewas
  if (paid.amountPesewas < due) {
    await creditWallet(tx, ctx, payment, wallet, paid.amountPesewas)
    const left = await keepLeft(tx, ctx, payment, wallet, paid.amountPesewas)
    const reason = `GHS ${formatPesewas(paid.amountPesewas)} was paid of GHS ${formatPesewas(due)}`
    return { ...held, ...left, inWallet: paid.amountPesewas > 0, receivedPesewas: paid.amountPesewas, reason }
  }
  return upgrading ? settleUpgrade(tx, ctx, payment, upgrading, wallet, paid) : settleOrders(tx, ctx, payment, wallet, paid)
}

/** The money passes through the wallet, so that the statement shows it and any rest stays there. */
async function settleOrders(tx: Tx, ctx: Ctx, payment: OwnedPayment, wallet: Wallet, paid: Paid): Promise<Settlement> {
  await creditWallet(tx, ctx, payment, wallet, paid.amountPesewas)
  const { reference, pricePesewas, surchargePesewas } = payment
  const { orders, list, reason } = await placeLines(tx, ctx, payment, { reference, surchargePesewas })
  const unspent = await keepUnspent(tx, ctx, payment, wallet, paid.amountPesewas)
  const spentPesewas = reason === null ? pricePesewas + surchargePesewas : 0
  const left = await keepLeft(tx, ctx, payment, wallet, paid.amountPesewas - spentPesewas - (unspent?.pesewas ?? 0))
  const settled = { reason, inWallet: true, receivedPesewas: paid.amountPesewas, orders, list, unspent }
  return { ...settled, ...left, status: reason === null ? 'paid' : 'held' }
}

async function settleUpgrade(
  tx: Tx,
  ctx: Ctx,
  payment: OwnedPayment,
  user: UpgradingUser,
  wallet: Wallet,
  paid: Paid,
): Promise<Settlement> {
  const settled = { receivedPesewas: paid.amountPesewas, orders: [] }
  if (user.level !== 'Customer' || user.status !== 'Active') {
    await creditWallet(tx, ctx, payment, wallet, paid.amountPesewas)
    const left = await keepLeft(tx, ctx, payment, wallet, paid.amountPesewas)
    const reason = user.status === 'Banned' ? 'the account is banned' : 'the account was an agent already'
    return { ...settled, ...left, status: 'held', inWallet: true, reason }
  }
  const excess = paid.amountPesewas - payment.pricePesewas
  await postTransfer(tx, {
    key: `agent-upgrade:${payment.reference}`,
    kind: 'agent-upgrade',
    memo: 'Agent upgrade by card',
    actorId: payment.userId,
    lines: [
      { accountId: CARD_PAYMENTS_RECEIVED, amountPesewas: -paid.amountPesewas },
      { accountId: AGENT_UPGRADE_FEES, amountPesewas: payment.pricePesewas },
      ...(excess > 0 ? [{ accountId: wallet.accountId, amountPesewas: excess }] : []),
    ],
    now: ctx.now,
  })
  await updateLevel(tx, payment.userId, 'Agent')
  await recordAdminAction(tx, ctx, {
    action: 'user.level',
    subject: { type: 'user', id: payment.userId },
    before: { level: 'Customer' },
    after: { level: 'Agent' },
    note: `Paid by card, reference ${payment.reference}`,
  })
  return { ...settled, ...(await keepLeft(tx, ctx, payment, wallet, excess)), status: 'paid', inWallet: excess > 0, reason: null }
}

/** What the provider keeps never reaches the shop: it is a cost, and less of what was received. Nothing if the provider does not say. */
async function bookProviderFee(tx: Tx, ctx: Ctx, reference: string, { feePesewas }: Paid) {
  if (feePesewas === null || feePesewas === 0) return
  await postTransfer(tx, {
    key: `provider-fee:${reference}`,
    kind: 'provider-fee',
    memo: `Card provider's fee for ${reference}`,
    actorId: null,
    lines: [
      { accountId: PROVIDER_FEES, amountPesewas: -feePesewas },
      { accountId: CARD_PAYMENTS_RECEIVED, amountPesewas: feePesewas },
    ],
    now: ctx.now,
  })
}

async function creditWallet(tx: Tx, ctx: Ctx, payment: OwnedPayment, wallet: Wallet, amountPesewas: number) {
  if (amountPesewas === 0) return
  await postTransfer(tx, {
    key: `card-payment:${payment.reference}`,
    kind: 'card-payment',
    memo: `Card payment ${payment.reference}`,
    actorId: payment.userId,
    lines: [
      { accountId: CARD_PAYMENTS_RECEIVED, amountPesewas: -amountPesewas },
      { accountId: wallet.accountId, amountPesewas },
    ],
    now: ctx.now,
  })
}
