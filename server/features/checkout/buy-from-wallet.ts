import { createHash } from 'node:crypto'
import { type Actor, type Ctx, requireActor } from '../../platform/context.ts'
import { brokenConstraint } from '../../platform/db.ts'
import { type AppError, Banned, InsufficientBalance, KeyReused } from '../../platform/errors.ts'
import { announceOrder } from '../orders/events.ts'
import type { OrderRow } from '../orders/orders.sql.ts'
import { announceUser } from '../users/events.ts'
import { type PlacedOrder, type PurchaseLine, type PurchaseOutcome, placeWalletOrders, type RefusedLine } from './checkout.sql.ts'
import { refuseLines } from './refusals.ts'

export type Purchase = { orders: OrderRow[]; balancePesewas: number; balanceVersion: number; replayed: boolean }

/**
 * Debits the asker's wallet and makes all the orders, or does nothing. The key names one intention to buy: asked
 * again with the same lines it replies the same and charges nothing.
 * `pathOf` names the field of the request that a line's index stands for, so that an error can point at it.
 * @throws InsufficientBalance, KeyReused, Banned, and 409 when a price or the shelf is not what the buyer saw.
 */
export async function buyFromWallet(
  ctx: Ctx,
  { key, lines, pathOf }: { key: string; lines: PurchaseLine[]; pathOf: (line: RefusedLine) => string },
): Promise<Purchase> {
  const actor = requireActor(ctx)
  const requestHash = createHash('sha256').update(JSON.stringify(lines)).digest()
  const outcome = await placeWalletOrders(ctx.db, { userId: actor.id, key, requestHash, lines, now: ctx.now }).catch((error: unknown) => {
    // The key is forgotten after a week, the order's own id never is.
    throw brokenConstraint(error) === 'orders_client_id' ? new KeyReused() : error
  })
  if (outcome.outcome === 'key-reused') throw new KeyReused()
  if (outcome.outcome === 'refused') throw refusal(outcome, pathOf)

  const orders = outcome.orders.map((placed) => toOrderRow(placed, actor.username))
  if (!outcome.replayed) announcePurchase(ctx, actor, orders, outcome)
  const { balancePesewas, balanceVersion, replayed } = outcome
  return { orders, balancePesewas, balanceVersion, replayed }
}

function announcePurchase(ctx: Ctx, actor: Actor, orders: OrderRow[], wallet: Extract<PurchaseOutcome, { outcome: 'placed' }>) {
  for (const order of orders) announceOrder(ctx, order)
  announceUser(ctx, {
    ...actor,
    balancePesewas: wallet.balancePesewas,
    totalPurchasePesewas: wallet.totalPurchasePesewas,
    balanceVersion: wallet.balanceVersion,
  })
}

function refusal(outcome: Extract<PurchaseOutcome, { outcome: 'refused' }>, pathOf: (line: RefusedLine) => string): AppError {
  switch (outcome.code) {
    case 'BANNED':
      return new Banned()
    case 'INSUFFICIENT_BALANCE':
      return new InsufficientBalance('Insufficient balance. Please top up your wallet.')
    default:
      return refuseLines(outcome.items, pathOf)
  }
}

/** A placed order as other reads give it. */
export function toOrderRow(placed: PlacedOrder, username: string): OrderRow {
  return {
    id: placed.id,
    seq: placed.seq,
    clientId: placed.client_id,
    userId: placed.user_id,
    username,
    productId: placed.product_id,
    network: placed.network,
    offer: placed.offer,
    imageHash: placed.image_hash,
    receiver: placed.receiver,
    pricePesewas: placed.price_pesewas,
    surchargePesewas: placed.surcharge_pesewas,
    paidWith: placed.paid_with,
    paymentReference: placed.payment_reference,
    reference: placed.reference,
    status: placed.status,
    createdAt: new Date(placed.created_at),
    decidedAt: null,
    supplier: null,
  }
}
