import { createHash } from 'node:crypto'
import type { Ctx } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/db.ts'
import { planForManyLines, selectStoredList } from '../../orders/bulk/bulk.sql.ts'
import { type PaidList, placePaidBulk } from '../../orders/bulk/place-bulk.ts'
import type { OrderRow } from '../../orders/orders/orders.sql.ts'
import { toOrderRow } from '../../orders/purchases/place-orders.ts'
import { type CardFunds, fromStoredLine, placeWalletOrders, storeLines } from '../../orders/purchases/purchases.sql.ts'
import { selectUser, type UserRow } from '../../people/users/users.sql.ts'
import { hasBoughtSince, type OwnedPayment } from './payments.sql.ts'

export type PlacedLines = { orders: OrderRow[]; list: PaidList['list']; reason: null } | { orders: []; list: null; reason: string }

/** A payer who was told that the payment had closed may have bought again and wants the bundle once. */
const CAME_LATE = 'it came in late, after you had bought the same again'

/**
 * Buys a payment's lines with the money that it has put into the wallet, or gives the reason why not. With `card` they become
 * orders paid by card, otherwise from the wallet.
 */
export async function placeLines(tx: Tx, ctx: Ctx, payment: OwnedPayment, card?: CardFunds): Promise<PlacedLines> {
  if (payment.listLines !== null) return placeList(tx, ctx, payment, card)
  const lines = (payment.lines ?? []).map(fromStoredLine)
  if (payment.status !== 'open' && (await hasBoughtSince(tx, payment))) return { orders: [], list: null, reason: CAME_LATE }
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
    return { orders: outcome.orders.map((order) => toOrderRow(order, buyer)), list: null, reason: null }
  }
  return { orders: [], list: null, reason: outcome.outcome === 'refused' ? REFUSALS[outcome.code] : 'the cart was used already' }
}

/** The same for a list, whose orders are announced as one. */
async function placeList(tx: Tx, ctx: Ctx, payment: OwnedPayment, card: CardFunds | undefined): Promise<PlacedLines> {
  const { reference, userId } = payment
  await planForManyLines(tx)
  const list = await selectStoredList(tx, reference)
  if (!list && payment.status === 'open') throw new Error(`the list of payment ${reference} is not stored`)
  if (!list) return { orders: [], list: null, reason: CAME_LATE }
  if (payment.status !== 'open' && (await hasBoughtSince(tx, { ...payment, lines: list.lines }))) {
    return { orders: [], list: null, reason: CAME_LATE }
  }
  const paidBy = card ? { payment: reference, surcharge: card.surchargePesewas } : { topUp: reference }
  const placed = await placePaidBulk(tx, ctx, { userId, reference, paidBy, list })
  return placed.reason === null ? { ...placed, orders: [] } : { ...placed, orders: [] }
}

const REFUSALS = {
  BANNED: 'the account is banned',
  PIN_REQUIRED: 'the PIN was not given',
  AFA_DETAILS: 'the details for AFA are missing',
  ON_THE_WAY: 'some of it is on its way already',
  PAUSED: 'purchases were paused',
  NOT_AVAILABLE: 'a product of the cart is not available any more',
  PRICE_CHANGED: 'a price of the cart has changed since',
  INSUFFICIENT_BALANCE: 'the wallet could not cover the cart',
}
