import { createHash } from 'node:crypto'
import { type Actor, type Ctx, requireActor } from '../../../platform/context.ts'
import { brokenConstraint } from '../../../platform/db.ts'
import { AppError, Banned, KeyReused, PinRequired, PurchasesPaused, Unauthenticated } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { countOrders } from '../../../platform/metrics.ts'
import { inUseSince } from '../../people/sessions/find-actor.ts'
import { announceUser } from '../../people/users/events.ts'
import { announceOrder } from '../orders/events.ts'
import type { OrderRow } from '../orders/orders.sql.ts'
import {
  type Channel,
  type PlacedOrder,
  type PurchaseLine,
  type PurchaseOutcome,
  placeOrdersOfChannel,
  placeOrdersOfKey,
  placeOrdersOfSession,
  placeWalletOrders,
  type RefusedLine,
  storeLines,
} from './purchases.sql.ts'
import { refuseAfaForm } from './refuse-afa-form.ts'
import { refuseLines } from './refuse-lines.ts'
import { refuseOnTheWay } from './refuse-on-the-way.ts'
import { refuseShort } from './refuse-short.ts'

/**
 * `pinProof`: what `createPinProof` made. It is used up if something is bought. With `askAt`, which maps a line's index to its field in the
 * request, what is on its way to the same number already is refused.
 */
export type WantedPurchase = {
  key: string
  lines: PurchaseLine[]
  pathOf: (line: RefusedLine) => string
  pinProof?: string | undefined
  askAt?: ((index: number) => string) | undefined
  /** How a refusal for `askAt` names the order that is on its way. */
  nameOrder?: ((seq: number) => string) | undefined
}
export type Purchase = { orders: OrderRow[]; balancePesewas: number; balanceVersion: number; replayed: boolean }

/**
 * Debits the caller's wallet and creates all orders, or does nothing. Repeating a key with the same lines returns the same
 * result without charging again. `pathOf` maps a line's index to its field in the request, for errors.
 * @throws KeyReused, Banned, PurchasesPaused, PinRequired, and 409 when a price or product is not as the buyer saw
 * it, or ON_THE_WAY.
 */
export async function placeOrders(ctx: Ctx, wanted: WantedPurchase): Promise<Purchase> {
  const actor = requireActor(ctx)
  const purchase = toPurchase(ctx, wanted)
  const outcome = await placeWalletOrders(ctx.db, { ...purchase, userId: actor.id }).catch((error: unknown) => {
    // The key expires after a week; an order's own id never does.
    throw brokenConstraint(error) === 'orders_client_id' ? new KeyReused() : error
  })
  return conclude(ctx, actor, outcome, wanted)
}

/**
 * The same for the user of a session token, in one round trip. Null, with nothing done, when the session has ended or was
 * idle: the caller then uses `findActor`.
 * @throws as `placeOrders` does.
 */
export async function placeOrdersWithSession(ctx: Ctx, token: string, wanted: WantedPurchase): Promise<Purchase | null> {
  const session = { tokenHash: hashToken(token), inUseSince: inUseSince(ctx.now) }
  const placed = await placeOrdersOfSession(ctx.db, { ...session, ...toPurchase(ctx, wanted) })
  if (!placed) return null
  return conclude(ctx, placed.actor, placed.outcome, wanted)
}

/**
 * The same for the owner of a working API key, which is checked and locked in the statement that buys: ending a key waits for
 * it, or it sees the end.
 * @throws Unauthenticated when the key works no more; and as `placeOrders` does.
 */
export async function placeOrdersWithKey(ctx: Ctx, keyHash: Buffer, wanted: WantedPurchase): Promise<Purchase> {
  const outcome = await placeOrdersOfKey(ctx.db, { keyHash, ...toPurchase(ctx, wanted) })
  if (!outcome) throw new Unauthenticated('This key does not work: it is unknown, has expired or was ended.')
  return conclude(ctx, requireActor(ctx), outcome, wanted)
}

function toPurchase({ now }: Ctx, { key, lines, pinProof, askAt }: WantedPurchase) {
  return { key, requestHash: hashLines(lines), lines, now, proofHash: hashProof(pinProof), asks: askAt !== undefined }
}

/**
 * The same for a customer who buys by another channel than the site, such as USSD, and always gives their PIN.
 * @throws ChannelOff, OverChannelLimit; and as `placeOrders` does.
 */
export async function placeChannelOrders(ctx: Ctx, channel: Channel, wanted: WantedPurchase & { pinProof: string }): Promise<Purchase> {
  const actor = requireActor(ctx)
  const purchase = { ...toPurchase(ctx, wanted), proofHash: hashToken(wanted.pinProof) }
  const outcome = await placeOrdersOfChannel(ctx.db, channel, { ...purchase, userId: actor.id })
  if ('mostPesewas' in outcome) throw new OverChannelLimit(outcome.mostPesewas, outcome.code === 'DAY_LIMIT')
  if (outcome.outcome === 'refused' && outcome.code === 'CHANNEL_OFF') throw new ChannelOff()
  return conclude(ctx, actor, outcome, wanted)
}

/** The owner has switched the channel off. */
export class ChannelOff extends AppError {
  constructor() {
    super('CONFLICT', 'Buying here is switched off.')
  }
}

/** `mostPesewas`: what may still be bought by this channel, in one order or today. */
export class OverChannelLimit extends AppError {
  readonly mostPesewas: number
  readonly isOfDay: boolean
  constructor(mostPesewas: number, isOfDay: boolean) {
    super('CONFLICT', 'That is more than you can buy here.')
    this.mostPesewas = mostPesewas
    this.isOfDay = isOfDay
  }
}

/** Identifies the lines of a purchase: the same key with other lines is an error. A client may make a new reference for each try. */
function hashLines(lines: PurchaseLine[]): Buffer {
  const bought = lines.map(({ clientReference: _, ...line }) => line)
  return createHash('sha256').update(storeLines(bought)).digest()
}

function hashProof(proof: string | undefined): Buffer | undefined {
  return proof === undefined ? undefined : hashToken(proof)
}

function conclude(ctx: Ctx, actor: Actor, outcome: PurchaseOutcome, wanted: WantedPurchase): Purchase {
  if (outcome.outcome === 'key-reused') throw new KeyReused()
  if (outcome.outcome === 'refused') throw refusal(outcome, wanted)

  const orders = outcome.orders.map((placed) => toOrderRow(placed, actor))
  if (!outcome.replayed) {
    countOrders(orders)
    announcePurchase(ctx, actor, orders, outcome)
  }
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

function refusal(
  outcome: Extract<PurchaseOutcome, { outcome: 'refused' }>,
  { pathOf, askAt = String, nameOrder }: WantedPurchase,
): AppError {
  switch (outcome.code) {
    case 'BANNED':
      return new Banned()
    case 'PAUSED':
      return new PurchasesPaused()
    case 'PIN_REQUIRED':
      return new PinRequired()
    case 'AFA_DETAILS':
      return refuseAfaForm(pathOf({ index: outcome.index, code: 'NOT_AVAILABLE', offer: '', network: 'AFA' }).replace(/[^.]*$/, 'afa'))
    case 'INSUFFICIENT_BALANCE':
      return refuseShort(outcome.dispute)
    case 'ON_THE_WAY':
      return refuseOnTheWay(outcome.items, askAt, nameOrder)
    default:
      return refuseLines(outcome.items, pathOf)
  }
}

/** A placed order in the form of other reads. */
export function toOrderRow(placed: PlacedOrder, { username, phone }: { username: string; phone: string | null }): OrderRow {
  return {
    id: placed.id,
    seq: placed.seq,
    clientId: placed.client_id,
    clientReference: placed.client_reference ?? null,
    userId: placed.user_id,
    username,
    buyerPhone: phone,
    // Messages are written for orders as they are read later.
    soldBy: null,
    // A purchase that a version before stored with its key has none of these.
    shopId: placed.shop_id ?? null,
    guestPhone: placed.guest_phone ?? null,
    agentProfitPesewas: placed.agent_profit_pesewas ?? 0,
    productId: placed.product_id,
    network: placed.network,
    offer: placed.offer,
    imageHash: placed.image_hash,
    receiver: placed.receiver,
    pricePesewas: placed.price_pesewas,
    surchargePesewas: placed.surcharge_pesewas,
    paidWith: placed.paid_with,
    channel: placed.channel ?? null,
    paymentReference: placed.payment_reference,
    topUpReference: null,
    disputedReferences: [],
    reference: placed.reference,
    status: placed.status,
    createdAt: new Date(placed.created_at),
    decidedAt: placed.decided_at === null ? null : new Date(placed.decided_at),
    supplier: null,
    holdReason: null,
    refundReason: null,
    batch: null,
    listId: null,
    needsDetails: placed.needs_details ?? false,
  }
}
