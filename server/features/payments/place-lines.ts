import { createHash } from 'node:crypto'
import type { Ctx } from '../../platform/context.ts'
import type { Tx } from '../../platform/db.ts'
import type { OrderRow } from '../orders/orders.sql.ts'
import { toOrderRow } from '../purchases/place-orders.ts'
import { type CardFunds, fromStoredLine, placeWalletOrders, storeLines } from '../purchases/purchases.sql.ts'
import { selectUser, type UserRow } from '../users/users.sql.ts'
import { hasBoughtSince, type OwnedPayment } from './payments.sql.ts'

export type PlacedLines = { orders: OrderRow[]; reason: null } | { orders: []; reason: string }

/**
 * Buys a payment's lines with the money that it has put into the wallet, or gives the reason why not. With `card` they become
 * orders paid by card, otherwise from the wallet.
 */
export async function placeLines(tx: Tx, ctx: Ctx, payment: OwnedPayment, card?: CardFunds): Promise<PlacedLines> {
  const lines = (payment.lines ?? []).map(fromStoredLine)
  // A payer who was told that the payment had closed may have bought again and wants the bundle once.
  if (payment.status !== 'open' && (await hasBoughtSince(tx, payment))) {
    return { orders: [], reason: 'it came in late, after you had bought the same again' }
  }
  const outcome = await placeWalletOrders(tx, {
    userId: payment.userId,
    key: `payment:${payment.reference}`,
    requestHash: createHash('sha256').update(storeLines(lines)).digest(),
    lines,
    now: ctx.now,
    ...(card && { payment: card }),
  })
  if (outcome.outcome === 'placed') {
    const buyer = (await selectUser(tx, payment.userId)) as UserRow
    return { orders: outcome.orders.map((order) => toOrderRow(order, buyer.username)), reason: null }
  }
  return { orders: [], reason: outcome.outcome === 'refused' ? REFUSALS[outcome.code] : 'the cart was used already' }
}

const REFUSALS = {
  BANNED: 'the account is banned',
  PAUSED: 'purchases were paused',
  NOT_AVAILABLE: 'a product of the cart is not available any more',
  PRICE_CHANGED: 'a price of the cart has changed since',
  INSUFFICIENT_BALANCE: 'the wallet could not cover the cart',
}
