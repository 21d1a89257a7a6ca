import { createHash } from 'node:crypto'
import { cardSurcharge, formatPesewas } from '../../../../shared/money.ts'
import type { UserLevel } from '../../../../shared/users.ts'
import { CARD_PAYMENTS_UNSPENT } from '../../../ledger/accounts.ts'
import { lockWalletOf, type Wallet } from '../../../ledger/ledger.ts'
import type { Actor, Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { AppError, KeyReused } from '../../../platform/errors.ts'
import { countOrders } from '../../../platform/metrics.ts'
import { announceOrder } from '../../orders/orders/events.ts'
import type { OrderRow } from '../../orders/orders/orders.sql.ts'
import { toOrderRow } from '../../orders/purchases/place-orders.ts'
import { type PurchaseLine, placeWalletOrders, selectPricedLines, storeLines } from '../../orders/purchases/purchases.sql.ts'
import { refuseLines } from '../../orders/purchases/refuse-lines.ts'
import { announceUserById } from '../../people/users/events.ts'
import { announcePayment } from './events.ts'
import { keepLeft } from './hold-top-up.ts'
import { isOwned, lockPayment, type OwnedPayment, type PaymentRow, type Settled } from './payments.sql.ts'
import { postCardMoney } from './post-card-money.ts'
import { selectDueRests, updateUnspent } from './rests.sql.ts'
import { addLeft } from './top-ups.sql.ts'

/** How long what is left of a client's own card payment waits for its next order. */
export const UNSPENT_FOR_MS = 600_000

/**
 * Takes what a payment's first order leaves out of the wallet, to wait for further orders; call it as the payment is settled, with its
 * money in the wallet. Null for a payment that was begun here, whose orders are all known.
 */
export async function keepUnspent(
  tx: Tx,
  ctx: Ctx,
  { reference, byClient, pricePesewas, surchargePesewas }: OwnedPayment,
  { accountId }: Wallet,
  receivedPesewas: number,
): Promise<NonNullable<Settled['unspent']> | null> {
  const pesewas = receivedPesewas - pricePesewas - surchargePesewas
  if (!byClient || pesewas <= 0) return null
  await postCardMoney(tx, ctx, {
    key: `card-unspent:${reference}`,
    memo: 'Waits for further orders of this payment',
    from: accountId,
    to: CARD_PAYMENTS_UNSPENT,
    pesewas,
  })
  return { pesewas, until: unspentUntil(ctx) }
}

/**
 * Buys one more order with what is left of a payment: its price, and 3 % of all that the payment bought less the surcharge taken so far, so that
 * the parts of a cart add up to what the client paid for it. Call it with the actor and the payment locked.
 * @throws 402 when too little is left or the payment is disputed, 409 when the line is not as the buyer saw it, KeyReused
 */
export async function spendRest(
  tx: Tx,
  ctx: Ctx,
  {
    payment,
    line,
    level,
    buyer,
  }: { payment: OwnedPayment; line: PurchaseLine; level: UserLevel; buyer: Pick<Actor, 'username' | 'phone'> },
): Promise<OrderRow> {
  const { reference, userId, unspentPesewas, holdReason } = payment
  if (holdReason !== null) throw new AppError('UNPAID', `We cannot place this order, because ${holdReason}. No order was placed.`)
  const [priced] = await selectPricedLines(tx, level, [line])
  if (!priced || priced.refused) {
    const refused = priced?.refused ?? { index: 0, code: 'NOT_AVAILABLE' as const, offer: line.offer, network: line.network }
    throw refuseLines([refused], () => (refused.code === 'PRICE_CHANGED' ? 'newOrder.totalAmount' : 'newOrder.offer'))
  }
  // The first order of a payment that is held was not bought: its share is in the wallet.
  const before = payment.status === 'paid' ? payment : { pricePesewas: 0, surchargePesewas: 0 }
  const pricePesewas = before.pricePesewas + priced.pricePesewas
  const full = cardSurcharge(pricePesewas) - before.surchargePesewas
  // A client may have truncated half a pesewa.
  const surchargePesewas = full > 0 && unspentPesewas === priced.pricePesewas + full - 1 ? full - 1 : full
  const share = priced.pricePesewas + surchargePesewas
  if (share > unspentPesewas) {
    throw new AppError(
      'UNPAID',
      `GHS ${formatPesewas(unspentPesewas)} is left of that card payment, and this order is GHS ${formatPesewas(share)} with the 3%. No order was placed.`,
    )
  }
  const use = payment.unspentUses + 1
  const { accountId } = await lockWalletOf(tx, userId, ctx.now)
  await postCardMoney(tx, ctx, {
    key: `card-spent-${use}:${reference}`,
    memo: 'For another order of this payment',
    from: CARD_PAYMENTS_UNSPENT,
    to: accountId,
    pesewas: share,
  })
  const outcome = await placeWalletOrders(tx, {
    userId,
    key: `payment:${reference}:${use}`,
    requestHash: createHash('sha256')
      .update(storeLines([line]))
      .digest(),
    lines: [line],
    now: ctx.now,
    payment: { reference, surchargePesewas },
  })
  if (outcome.outcome === 'key-reused' || (outcome.outcome === 'placed' && outcome.replayed)) throw new KeyReused()
  if (outcome.outcome === 'refused') {
    if ('items' in outcome && outcome.code !== 'ON_THE_WAY') throw refuseLines(outcome.items, () => 'newOrder.offer')
    throw new AppError('CONFLICT', 'This order could not be placed. The money of your card payment is still there.')
  }
  await updateUnspent(tx, reference, {
    share,
    until: unspentUntil(ctx),
    use,
    pricePesewas,
    surchargePesewas: before.surchargePesewas + surchargePesewas,
    lines: JSON.stringify([
      ...(payment.status === 'paid' ? (payment.lines ?? []) : []),
      ...(JSON.parse(storeLines([{ ...line, clientId: null }])) as object[]),
    ]),
  })
  return toOrderRow(outcome.orders[0] as (typeof outcome.orders)[number], buyer)
}

/** Tells the buyer and the admins of an order that the rest of a payment bought. */
export async function announceSpent(ctx: Ctx, reference: string, order: OrderRow) {
  countOrders([order])
  announceOrder(ctx, order)
  await announceUserById(ctx, order.userId)
  await announcePayment(ctx, reference)
}

/** Puts what waited long enough for further orders into its payers' wallets. Safe to run twice or concurrently. */
export async function releaseRests(ctx: Ctx): Promise<void> {
  for (const reference of await selectDueRests(ctx.db, ctx.now)) {
    await releaseDue(ctx, reference).catch((error: unknown) =>
      ctx.log.error({ err: error, reference }, 'the rest of a card payment could not be put into the wallet'),
    )
  }
}

async function releaseDue(ctx: Ctx, reference: string) {
  const userId = await transaction(ctx.db, async (tx) => {
    const payment = await lockPayment(tx, reference)
    // Another order or another process may have been quicker, or a dispute has come.
    if (!payment?.unspentUntil || payment.unspentUntil > ctx.now || payment.holdReason !== null) return null
    await releaseRest(tx, ctx, payment)
    return payment.userId
  })
  if (userId === null) return
  await announceUserById(ctx, userId)
  await announcePayment(ctx, reference)
}

/**
 * Puts what is left of a payment into the payer's wallet, as far as a top-up would be; call it with the payment locked. Nothing happens when
 * nothing is left. `isReturned`: the payment goes back.
 */
export async function releaseRest(tx: Tx, ctx: Ctx, payment: PaymentRow, { isReturned = false } = {}) {
  const { reference, unspentPesewas } = payment
  if (unspentPesewas === 0 || !isOwned(payment)) return
  const { accountId } = await lockWalletOf(tx, payment.userId, ctx.now)
  await postCardMoney(tx, ctx, {
    key: `card-rest:${reference}`,
    memo: 'The rest of your card payment',
    from: CARD_PAYMENTS_UNSPENT,
    to: accountId,
    pesewas: unspentPesewas,
  })
  await updateUnspent(tx, reference, { share: unspentPesewas, until: ctx.now })
  await addLeft(tx, reference, await keepLeft(tx, ctx, payment, { accountId }, unspentPesewas, { rest: true, isReturned }))
}

function unspentUntil({ now }: Ctx): Date {
  return new Date(now.getTime() + UNSPENT_FOR_MS)
}
