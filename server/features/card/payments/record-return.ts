import { formatPesewas } from '../../../../shared/money.ts'
import { CARD_PAYMENTS_RECEIVED, DISPUTE_LOSSES, REFUND_CODES, REFUNDS_PENDING, TOP_UPS_ON_HOLD } from '../../../ledger/accounts.ts'
import { lockWalletOf, postTransfer } from '../../../ledger/ledger.ts'
import { raiseAlarm } from '../../../platform/alarms.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { sumInWallet } from '../../orders/orders/disputed-money.sql.ts'
import { holdDisputed, releaseDisputed } from '../../orders/orders/hold-disputed.ts'
import { announceUserById } from '../../people/users/events.ts'
import {
  lockReturnsOf,
  markBooked,
  type Return,
  selectHoldReason,
  selectUnbookedReturns,
  selectWonBack,
  updateHold,
} from './disputes.sql.ts'
import { announceOrdersOf } from './events.ts'
import { giveBackWon } from './give-back-won.ts'
import { lockPayment, lockUpgradingUser, type PaymentRow } from './payments.sql.ts'
import { postRefundNotSent } from './post-refund-not-sent.ts'
import {
  lockOwed,
  lockRefundOfReturn,
  lockUnsentRefunds,
  type RefundRow,
  selectClaimers,
  sumPaidRefunds,
  updateRefund,
} from './refunds-to-source.sql.ts'
import { releaseRest } from './spend-rest.ts'
import { reduceOnHold } from './top-ups.sql.ts'

/**
 * Stores news of a dispute or a refund, then holds or releases the payment's pending orders and books what was returned.
 * Locks the payment but not its orders: deciding an order locks the order first, then its payment.
 */
export async function recordReturn<T extends { isNews: boolean }>(ctx: Ctx, reference: string, keep: (tx: Tx) => Promise<T>): Promise<T> {
  const { kept, payment } = await transaction(ctx.db, async (tx) => {
    await lockReturnsOf(tx, reference)
    // Before the payment, as whoever settles it.
    await lockUpgradingUser(tx, reference)
    const payment = await lockPayment(tx, reference)
    const kept = await keep(tx)
    if (!payment || !kept.isNews) return { kept, payment: null }
    await updateHold(tx, reference, await selectHoldReason(tx, reference))
    await bookReturns(tx, ctx, payment)
    return { kept, payment }
  })
  if (payment) {
    await announceOrdersOf(ctx, payment)
    await announceUserById(ctx, payment.userId)
    if (payment.userId === null) for (const { userId } of await selectClaimers(ctx.db, reference)) await announceUserById(ctx, userId)
  }
  return kept
}

/**
 * Books money returned to the payer and not yet booked, and what came back of it; call it with the payment locked. What is left of the
 * payment in the payer's wallet or on hold, or owed to a guest or in the wallet that claimed it, is taken back, as far as it goes. The rest is a loss, which a later rejection of
 * its orders reduces instead of refunding the wallet. Never more than the payment brought in, but for what the shop itself has sent back: the
 * provider may pay that and lose the dispute as well, in either order, and then the shop has lost it. What the payment caused follows its loss
 * (`change_loss`).
 */
export async function bookReturns(tx: Tx, ctx: Ctx, { reference, userId }: Pick<PaymentRow, 'reference' | 'userId'>): Promise<void> {
  // Back in the wallets, it is taken and given as any other money there; what is still disputed is kept out of them again at the end.
  if ((await selectUnbookedReturns(tx, reference)).length > 0 || (await selectWonBack(tx, reference)).length > 0)
    await releaseDisputed(tx, ctx, reference)
  await giveBackWon(tx, ctx, { reference, userId })
  const returns = await selectUnbookedReturns(tx, reference)
  if (returns.length > 0) await releaseRest(tx, ctx, (await lockPayment(tx, reference)) as PaymentRow, { isReturned: true })
  for (const due of returns) {
    const { receivedPesewas, returnedPesewas, onHoldPesewas, lossPesewas } = (await lockPayment(tx, reference)) as PaymentRow
    const own = await lockOwnRefund(tx, reference, due)
    const beside = due.kind === 'dispute' ? await sumPaidRefunds(tx, reference) : 0
    const room = own ? due.amountPesewas : (receivedPesewas ?? 0) - returnedPesewas + beside
    const amountPesewas = due.currency === 'GHS' ? Math.min(due.amountPesewas, room) : 0
    if (amountPesewas < due.amountPesewas) {
      ctx.log.warn({ reference, ...due, bookedPesewas: amountPesewas }, 'more of a card payment was returned than was received')
    }
    if (amountPesewas <= 0) continue
    const twicePesewas = returnedPesewas + amountPesewas - (receivedPesewas ?? 0)
    if (twicePesewas > 0) raiseAlarm(ctx.log, 'refund-paid-twice', { reference, amountPesewas: twicePesewas })
    if (own) {
      await payOwed(tx, ctx, reference, { id: due.id, own })
      await markBooked(tx, reference, due, 0, ctx.now)
      continue
    }
    const fromHold = Math.min(amountPesewas, onHoldPesewas)
    const recovered = await bookReturn(tx, ctx, { reference, userId }, { ...due, amountPesewas, fromHold, lossPesewas })
    if (fromHold > 0) await reduceOnHold(tx, reference, fromHold)
    await markBooked(tx, reference, { ...due, amountPesewas }, amountPesewas - recovered, ctx.now)
  }
  await holdDisputed(tx, ctx, reference)
}

/** What the shop itself sends back and a return at the provider pays, locked; null for any other return. */
async function lockOwnRefund(tx: Tx, reference: string, { kind, id, amountPesewas, currency }: Return): Promise<RefundRow | null> {
  return kind === 'refund' && currency === 'GHS' ? lockRefundOfReturn(tx, { reference, providerId: id, amountPesewas }) : null
}

/** Returns how much was taken from the payer's wallet, from what is on hold and from what was owed to a guest. */
async function bookReturn(
  tx: Tx,
  ctx: Ctx,
  { reference, userId }: Pick<PaymentRow, 'reference' | 'userId'>,
  due: Return & { fromHold: number; lossPesewas: number },
): Promise<number> {
  // It was returned in another way: what was still to be sent back counts as money in the wallet.
  for (const refund of await lockUnsentRefunds(tx, reference))
    await postRefundNotSent(tx, refund, { now: ctx.now, actorId: null, note: 'the payment was returned in another way' })
  const wallet = userId === null ? null : await lockWalletOf(tx, userId, ctx.now)
  const inWallet = wallet === null ? 0 : await sumInWallet(tx, reference, wallet.accountId)
  const fromWallet = Math.max(0, Math.min(due.amountPesewas - due.fromHold, inWallet, wallet?.balancePesewas ?? 0))
  const owed = userId === null ? await cancelOwed(tx, ctx, reference, due.amountPesewas + due.lossPesewas) : []
  const cancelled = owed.reduce((sum, { amountPesewas }) => sum + amountPesewas, 0)
  const claimed = userId === null ? await takeClaimed(tx, ctx, reference, due.amountPesewas - cancelled) : []
  const fromClaimers = claimed.reduce((sum, { amountPesewas }) => sum - amountPesewas, 0)
  const recovered = fromWallet + due.fromHold + cancelled + fromClaimers
  const entry = { actorId: null, now: ctx.now }
  const amount = `GHS ${formatPesewas(due.amountPesewas)}`
  const takenBack = [
    { accountId: wallet?.accountId ?? 0, amountPesewas: -fromWallet },
    { accountId: TOP_UPS_ON_HOLD, amountPesewas: -due.fromHold },
    ...owed.map(({ status, amountPesewas }) => ({
      accountId: status === 'code' ? REFUND_CODES : REFUNDS_PENDING,
      amountPesewas: -amountPesewas,
    })),
    ...claimed,
  ].filter(({ amountPesewas }) => amountPesewas < 0)
  if (due.kind === 'refund') {
    const lost = due.amountPesewas - recovered
    if (userId === null && lost > 0) raiseAlarm(ctx.log, 'refund-paid-twice', { reference, amountPesewas: lost })
    await postTransfer(tx, {
      ...entry,
      key: `card-refund:${due.id}`,
      kind: 'card-refund',
      memo: `Card payment ${reference}: ${amount} went back to your card or phone`,
      lines: [
        { accountId: CARD_PAYMENTS_RECEIVED, amountPesewas: due.amountPesewas },
        ...takenBack,
        ...(lost !== 0 ? [{ accountId: DISPUTE_LOSSES, amountPesewas: -lost }] : []),
      ],
    })
    return recovered
  }
  await postTransfer(tx, {
    ...entry,
    key: `dispute-lost:${due.id}`,
    kind: 'dispute-lost',
    memo: `Card payment ${reference}: ${amount} lost in dispute ${due.id}`,
    lines: [
      { accountId: DISPUTE_LOSSES, amountPesewas: -due.amountPesewas },
      { accountId: CARD_PAYMENTS_RECEIVED, amountPesewas: due.amountPesewas },
    ],
  })
  if (recovered > 0) {
    await postTransfer(tx, {
      ...entry,
      key: `dispute-recovered:${due.id}`,
      kind: 'dispute-recovered',
      memo: `Card payment ${reference}: your bank has given ${amount} back to you`,
      lines: [...takenBack, { accountId: DISPUTE_LOSSES, amountPesewas: recovered }],
    })
  }
  return recovered
}

/** What a guest's refund has put into a wallet by its code, as far as it is still there, up to `mostPesewas`. The rest is lost, as with any payer. */
async function takeClaimed(
  tx: Tx,
  ctx: Ctx,
  reference: string,
  mostPesewas: number,
): Promise<{ accountId: number; amountPesewas: number }[]> {
  let restPesewas = mostPesewas
  const taken: { accountId: number; amountPesewas: number }[] = []
  for (const { userId } of restPesewas > 0 ? await selectClaimers(tx, reference) : []) {
    const { accountId, balancePesewas } = await lockWalletOf(tx, userId, ctx.now)
    const amountPesewas = Math.max(0, Math.min(restPesewas, balancePesewas, await sumInWallet(tx, reference, accountId)))
    restPesewas -= amountPesewas
    taken.push({ accountId, amountPesewas: -amountPesewas })
  }
  return taken
}

/** What is owed to a guest and was not sent ends, where the bank or the provider has given back all of it, at once or in parts. Returns it as it was. */
async function cancelOwed(tx: Tx, ctx: Ctx, reference: string, lostPesewas: number): Promise<RefundRow[]> {
  let restPesewas = lostPesewas
  const cancelled: RefundRow[] = []
  for (const refund of await lockOwed(tx, reference)) {
    if (refund.amountPesewas > restPesewas) continue
    restPesewas -= refund.amountPesewas
    cancelled.push(refund)
    await updateRefund(tx, refund, {
      status: 'returned',
      askAt: null,
      providerNote: 'the payment was returned in another way',
      endedAt: ctx.now,
    })
  }
  return cancelled
}

/** Books a refund that the shop sends back of a payment as paid. */
async function payOwed(tx: Tx, ctx: Ctx, reference: string, { id, own }: { id: string; own: RefundRow }) {
  const { userId, amountPesewas } = own
  await postTransfer(tx, {
    key: `card-refund:${id}`,
    kind: 'card-refund',
    memo: `Card payment ${reference}: GHS ${formatPesewas(amountPesewas)} went back to ${userId === null ? 'the guest' : 'your card or phone'}`,
    actorId: null,
    lines: [
      { accountId: CARD_PAYMENTS_RECEIVED, amountPesewas },
      { accountId: REFUNDS_PENDING, amountPesewas: -amountPesewas },
    ],
    now: ctx.now,
  })
  await updateRefund(tx, own, { status: 'paid', providerId: id, providerNote: null, askAt: null, endedAt: ctx.now })
}
