import type { ChannelName } from '../../../../shared/channel-rules.ts'
import { toPesewas } from '../../../../shared/money.ts'
import type { Network } from '../../../../shared/networks.ts'
import type { OrderStatus } from '../../../../shared/orders.ts'
import type { UserLevel } from '../../../../shared/users.ts'
import type { Actor } from '../../../platform/context.ts'
import type { Queryable } from '../../../platform/db.ts'

/** One line of a purchase. The expected price is the one the buyer was shown; it is compared, never charged. */
export type PurchaseLine = {
  product: string | null
  network: Network | null
  offer: string
  receiver: string
  expectedPricePesewas: number
  clientId: string | null
  /** The form with the details of the person whom an AFA order registers. */
  afa?: string | undefined
  /** The reference that the client gave its wallet order. */
  clientReference?: string | undefined
}

/** A cart's items as the wire has them, with prices in cedis. */
export function toPurchaseLines(
  items: readonly { productId: string; offer: string; phoneNumber: string; amount: number; afa?: string | undefined }[],
): PurchaseLine[] {
  return items.map(({ productId, offer, phoneNumber, amount, afa }) => ({
    product: productId,
    network: null,
    offer,
    receiver: phoneNumber,
    expectedPricePesewas: toPesewas(amount),
    clientId: null,
    afa,
  }))
}

/** A line as payments and database functions keep it; rows and keys stored long ago call the expected price `seen`. */
export type StoredLine = Omit<PurchaseLine, 'expectedPricePesewas'> & { seen: number }

/** Equal lines give equal text, also over versions: the hash of an idempotency key is made of it. */
export function storeLines(lines: readonly PurchaseLine[]): string {
  const stored = lines.map(({ product, network, offer, receiver, expectedPricePesewas, clientId, afa, clientReference }): StoredLine => {
    const seen = expectedPricePesewas
    return { product, network, offer, receiver, seen, clientId, ...(afa && { afa }), ...(clientReference && { clientReference }) }
  })
  return JSON.stringify(stored)
}

export function fromStoredLine({ seen, ...line }: StoredLine): PurchaseLine {
  return { ...line, expectedPricePesewas: seen }
}

export type RefusedLine = {
  index: number
  code: 'NOT_AVAILABLE' | 'PRICE_CHANGED'
  offer: string
  network: string | null
  pricePesewas?: number
  /** It is on sale, but none is left in the stock. */
  soldOut?: true
}

/** The lines that cannot be bought as shown; at least one. */
export type RefusedLines = [RefusedLine, ...RefusedLine[]]

/** A line of which the buyer has the same bundle for the same number pending; a guest is not told the order's number. */
type LineOnTheWay = { index: number; seq: number | null; network: string; offer: string; receiver: string }
/** At least one. */
export type LinesOnTheWay = [LineOnTheWay, ...LineOnTheWay[]]

/** The reply of `place_wallet_orders`. Timestamps are JSON text. */
export type PurchaseOutcome = { replayed: boolean } & (
  | {
      outcome: 'placed'
      orders: PlacedOrder[]
      balancePesewas: number
      totalPurchasePesewas: number
      balanceVersion: number
    }
  | { outcome: 'refused'; code: 'BANNED' | 'PAUSED' | 'PIN_REQUIRED' }
  | { outcome: 'refused'; code: 'ON_THE_WAY'; items: LinesOnTheWay }
  | { outcome: 'refused'; code: 'AFA_DETAILS'; index: number }
  | { outcome: 'refused'; code: 'NOT_AVAILABLE' | 'PRICE_CHANGED'; items: RefusedLines }
  | { outcome: 'refused'; code: 'INSUFFICIENT_BALANCE'; totalPesewas: number; balancePesewas: number; dispute?: DisputedWallet | null }
  | { outcome: 'key-reused' }
)

/** Money of a wallet that a bank has not decided about, in pesewas, and what was paid with the disputed payments. */
export type DisputedWallet = { heldPesewas: number; paidPesewas: number; payments: number }

export type PlacedOrder = {
  id: string
  seq: number
  client_id: string | null
  user_id: string | null
  product_id: string
  network: string
  offer: string
  image_hash: string
  receiver: string
  price_pesewas: number
  surcharge_pesewas: number
  paid_with: 'wallet' | 'card'
  payment_reference: string | null
  reference: string
  /** A repeated purchase may have been decided meanwhile. */
  status: OrderStatus
  channel?: ChannelName | null
  shop_id?: string | null
  guest_phone?: string | null
  agent_profit_pesewas?: number
  created_at: string
  decided_at: string | null
  needs_details?: boolean
  client_reference?: string | null
}

/** The card payment for a purchase; the same transaction has already credited its money to the wallet. */
export type CardFunds = { reference: string; surchargePesewas: number }

/** `proofHash`: of the proof that the buyer gave their PIN. `asks`: it refuses what is on its way already. */
type NewPurchase = {
  key: string
  requestHash: Buffer
  lines: PurchaseLine[]
  now: Date
  proofHash?: Buffer | undefined
  asks?: boolean | undefined
}

/** Looks up the user of a live session used since `inUseSince` in the same statement; null when there is none. */
export async function placeOrdersOfSession(
  db: Queryable,
  purchase: NewPurchase & { tokenHash: Buffer; inUseSince: Date },
): Promise<{ actor: Actor; outcome: PurchaseOutcome } | null> {
  const { tokenHash, proofHash, asks } = purchase
  const buys = asks
    ? { name: 'place-asking-orders-of-session', outcome: 'place_asking_orders(u.id, $3, $4, $5, $6, $7)' }
    : proofHash
      ? { name: 'place-proven-orders-of-session', outcome: 'place_proven_orders($7, u.id, $3, $4, $5, $6)' }
      : { name: 'place-orders-of-session', outcome: 'place_wallet_orders(u.id, $3, $4, $5, $6)' }
  const { rows } = await db.query<Omit<Actor, 'sessionHash' | 'roles'> & { outcome: PurchaseOutcome }>({
    name: buys.name,
    text: `select u.id, u.username, u.email, u.phone, u.level, u.status, u.created_at as "createdAt",
        ${buys.outcome} as outcome
      from sessions s join users u on u.id = s.user_id
      where s.token_hash = $1 and s.last_used_at >= $2 and s.expires_at > $6 and u.status = 'Active'`,
    values: [
      tokenHash,
      purchase.inUseSince,
      purchase.key,
      purchase.requestHash,
      storeLines(purchase.lines),
      purchase.now,
      ...(proofHash || asks ? [proofHash ?? null] : []),
    ],
  })
  if (!rows[0]) return null
  const { outcome, ...found } = rows[0]
  // A purchase asks for no role.
  return { actor: { ...found, roles: [], sessionHash: tokenHash }, outcome }
}

/** Null when the key has ended or expired, is a test key or may not buy, or its owner is no active agent or admin. */
export async function placeOrdersOfKey(db: Queryable, purchase: NewPurchase & { keyHash: Buffer }): Promise<PurchaseOutcome | null> {
  const { rows } = await db.query<{ outcome: PurchaseOutcome | null }>({
    name: purchase.asks ? 'place-asking-orders-of-key' : 'place-orders-of-key',
    text: `select ${purchase.asks ? 'place_asking_key_orders' : 'place_key_orders'}($1, $2, $3, $4, $5) as outcome`,
    values: [purchase.keyHash, purchase.key, purchase.requestHash, storeLines(purchase.lines), purchase.now],
  })
  return rows[0]?.outcome ?? null
}

/** What buying by a channel besides the site may come to. */
export type ChannelOutcome =
  | PurchaseOutcome
  | { outcome: 'refused'; replayed: false; code: 'CHANNEL_OFF' }
  | { outcome: 'refused'; replayed: false; code: 'ORDER_LIMIT' | 'DAY_LIMIT'; mostPesewas: number }
/** `onByDefault`: whether it is on until the owner has chosen. */
export type Channel = { name: ChannelName; onByDefault: boolean }

export async function placeOrdersOfChannel(
  db: Queryable,
  { name, onByDefault }: Channel,
  purchase: NewPurchase & { userId: string; proofHash: Buffer },
): Promise<ChannelOutcome> {
  const { rows } = await db.query<{ outcome: ChannelOutcome }>({
    name: purchase.asks ? 'place-asking-channel-orders' : 'place-channel-orders',
    text: `select ${purchase.asks ? 'place_asking_channel_orders' : 'place_channel_orders'}($1, $2, $3, $4, $5, $6, $7, $8) as outcome`,
    values: [
      name,
      onByDefault,
      purchase.proofHash,
      purchase.userId,
      purchase.key,
      purchase.requestHash,
      storeLines(purchase.lines),
      purchase.now,
    ],
  })
  return (rows[0] as { outcome: ChannelOutcome }).outcome
}

export async function placeWalletOrders(
  db: Queryable,
  purchase: NewPurchase & { userId: string; payment?: CardFunds },
): Promise<PurchaseOutcome> {
  if (purchase.asks) {
    const { rows } = await db.query<{ outcome: PurchaseOutcome }>({
      name: 'place-asking-orders',
      text: 'select place_asking_orders($1, $2, $3, $4, $5, $6) as outcome',
      values: [purchase.userId, purchase.key, purchase.requestHash, storeLines(purchase.lines), purchase.now, purchase.proofHash ?? null],
    })
    return (rows[0] as { outcome: PurchaseOutcome }).outcome
  }
  if (purchase.proofHash) {
    const { rows } = await db.query<{ outcome: PurchaseOutcome }>({
      name: 'place-proven-orders',
      text: 'select place_proven_orders($1, $2, $3, $4, $5, $6) as outcome',
      values: [purchase.proofHash, purchase.userId, purchase.key, purchase.requestHash, storeLines(purchase.lines), purchase.now],
    })
    return (rows[0] as { outcome: PurchaseOutcome }).outcome
  }
  const { rows } = await db.query<{ outcome: PurchaseOutcome }>({
    name: 'place-wallet-orders',
    text: 'select place_wallet_orders($1, $2, $3, $4, $5, $6, $7) as outcome',
    values: [
      purchase.userId,
      purchase.key,
      purchase.requestHash,
      storeLines(purchase.lines),
      purchase.now,
      purchase.payment?.reference ?? null,
      purchase.payment?.surchargePesewas ?? 0,
    ],
  })
  return (rows[0] as { outcome: PurchaseOutcome }).outcome
}

type PricedLine = { pricePesewas: number; refused: RefusedLine | null }

/** Each line's price for this level, or why it cannot be bought. */
export async function selectPricedLines(db: Queryable, level: UserLevel, lines: PurchaseLine[]): Promise<PricedLine[]> {
  const { rows } = await db.query<PricedLine>({
    name: 'price-lines',
    text: 'select price_pesewas as "pricePesewas", refused from price_lines($1, $2)',
    values: [level, storeLines(lines)],
  })
  return rows
}

/** Deletes expired keys; refusals expire sooner than purchases. */
export async function deleteOldKeys(db: Queryable, { before, refusedBefore }: { before: Date; refusedBefore: Date }) {
  await db.query(`delete from idempotency_keys where created_at < $1 or (created_at < $2 and outcome ->> 'outcome' = 'refused')`, [
    before,
    refusedBefore,
  ])
}

/** What a guest of an agent's shop buys with money that stands in the account for guests' payments. */
export type GuestPurchase = {
  shopId: string
  phone: string
  payment: { reference: string; surchargePesewas: number }
  lines: PurchaseLine[]
  now: Date
}
export type GuestOutcome =
  | { outcome: 'placed'; orders: PlacedOrder[] }
  | { outcome: 'refused'; code: 'CLOSED' | 'NOT_AVAILABLE' | 'PRICE_CHANGED' }

export async function placeShopOrders(tx: Queryable, { shopId, phone, payment, lines, now }: GuestPurchase): Promise<GuestOutcome> {
  const { rows } = await tx.query<{ outcome: GuestOutcome }>('select place_shop_orders($1, $2, $3, $4, $5, $6) as outcome', [
    shopId,
    phone,
    payment.reference,
    payment.surchargePesewas,
    storeLines(lines),
    now,
  ])
  return (rows[0] as { outcome: GuestOutcome }).outcome
}

/** Prices what a guest chose in an agent's shop. */
export async function selectShopLines(db: Queryable, shopId: string, lines: PurchaseLine[]): Promise<PricedLine[]> {
  const { rows } = await db.query<PricedLine>('select price_pesewas as "pricePesewas", refused from price_shop_lines($1, $2)', [
    shopId,
    storeLines(lines),
  ])
  return rows
}

/** Of these lines those of which the buyer has the same bundle for the same number pending. */
export async function selectOnTheWay(db: Queryable, userId: string, lines: readonly PurchaseLine[]): Promise<LinesOnTheWay | null> {
  const { rows } = await db.query<{ found: LinesOnTheWay | null }>('select on_the_way($1, $2, $3, $4) as found', [
    userId,
    lines.map(({ product }) => product),
    lines.map(({ offer }) => offer),
    lines.map(({ receiver }) => receiver),
  ])
  return rows[0]?.found ?? null
}

/** The same for a guest of an agent's shop, who names their payment before: nobody else knows its reference. */
export async function selectGuestsOnTheWay(
  db: Queryable,
  { shopId, payment, lines }: { shopId: string; payment: string; lines: readonly PurchaseLine[] },
): Promise<LinesOnTheWay | null> {
  const { rows } = await db.query<LineOnTheWay>(
    `select line.place::integer - 1 as index, null as seq, o.network, o.offer, o.receiver
     from unnest($3::uuid[], $4::text[], $5::text[]) with ordinality as line (product, offer, receiver, place)
     cross join lateral (
       select network, offer, receiver from orders
       where receiver = line.receiver and shop_id = $1 and payment_reference = $2 and status = 'pending' and offer = line.offer
         and product_id = line.product
       order by seq desc limit 1
     ) o order by line.place`,
    [shopId, payment, lines.map(({ product }) => product), lines.map(({ offer }) => offer), lines.map(({ receiver }) => receiver)],
  )
  const [first, ...more] = rows
  return first ? [first, ...more] : null
}
