import type { PaymentProgress, PaymentPurpose, PaymentStatus } from '../../../../shared/payments.ts'
import type { UserLevel, UserStatus } from '../../../../shared/users.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'
import { likePatterns, type Page } from '../../../platform/http/lists.ts'
import { type PurchaseLine, type StoredLine, storeLines } from '../../orders/purchases/purchases.sql.ts'

export type PaymentRow = {
  reference: string
  /** Null for a guest of an agent's shop. */
  userId: string | null
  shopId: string | null
  guestPhone: string | null
  /** The key of the address from which a guest pays. */
  guestAddress: string | null
  purpose: PaymentPurpose
  lines: StoredLine[] | null
  /** How many lines the list has that it pays for, which is stored apart; null for other payments. */
  listLines: number | null
  pricePesewas: number
  surchargePesewas: number
  status: PaymentStatus
  reason: string | null
  receivedPesewas: number | null
  inWallet: boolean
  /** For a settled top-up: what it put into the wallet, and what of that is on hold until when. */
  toppedUpPesewas: number | null
  onHoldPesewas: number
  onHoldUntil: Date | null
  /** For any other settled payment: what it left in its payer's wallet, or on hold for it, without the surcharge. */
  leftPesewas: number
  /** What is on hold is beyond the limits of top-ups: a person releases it or sends it back. */
  waitsForStaff: boolean
  /** Begun at the provider by the payer's own client: what its first order leaves pays for further ones until then, or is put into the wallet. */
  byClient: boolean
  unspentPesewas: number
  unspentUntil: Date | null
  /** How often it was spent on a further order. */
  unspentUses: number
  /** Why its pending orders are on hold; null when they are not. */
  holdReason: string | null
  /** How much the card provider returned to the payer. */
  returnedPesewas: number
  /** How much of that nobody has compensated. */
  lossPesewas: number
  createdAt: Date
  checks: number
}

/** A payment of somebody with an account. */
export type OwnedPayment = PaymentRow & { userId: string }

export function isOwned(payment: PaymentRow): payment is OwnedPayment {
  return payment.userId !== null
}

const PAYMENT = `reference, user_id as "userId", shop_id as "shopId", guest_phone as "guestPhone", guest_address as "guestAddress", purpose, lines, list_lines as "listLines", price_pesewas as "pricePesewas", surcharge_pesewas as "surchargePesewas",
  status, reason, received_pesewas as "receivedPesewas", in_wallet as "inWallet", created_at as "createdAt", checks,
  hold_reason as "holdReason", returned_pesewas as "returnedPesewas", loss_pesewas as "lossPesewas", topped_up_pesewas as "toppedUpPesewas",
  on_hold_pesewas as "onHoldPesewas", on_hold_until as "onHoldUntil", by_client as "byClient", unspent_pesewas as "unspentPesewas",
  unspent_until as "unspentUntil", unspent_uses as "unspentUses", left_pesewas as "leftPesewas", waits_for_staff as "waitsForStaff"`

export type NewPayment = Pick<PaymentRow, 'reference' | 'userId' | 'purpose' | 'pricePesewas' | 'surchargePesewas'> & {
  /** Who pays without an account, in which shop, and the key of their address. */
  guest?: { shopId: string; phone: string; address?: string | null; browser?: Buffer | null }
  lines: PurchaseLine[] | null
  listLines?: number
  now: Date
  checkAt: Date
}

/** False, and nothing stored, while purchases are paused. */
export async function insertPayment(db: Queryable, payment: NewPayment): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into payments (reference, user_id, purpose, lines, price_pesewas, surcharge_pesewas, created_at, check_at, shop_id, guest_phone, guest_address, guest_browser, list_lines)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13 where not exists (select from purchase_pauses where lifted_at is null)`,
    [
      ...valuesOf(payment),
      payment.guest?.shopId ?? null,
      payment.guest?.phone ?? null,
      payment.guest?.address ?? null,
      payment.guest?.browser ?? null,
      payment.listLines ?? null,
    ],
  )
  return rowCount === 1
}

/** Stores a payment that a client started itself, once the provider reports it paid. Does nothing when it is known. */
export async function insertForeignPayment(db: Queryable, payment: NewPayment) {
  await db.query(
    `insert into payments (reference, user_id, purpose, lines, price_pesewas, surcharge_pesewas, created_at, check_at, by_client)
     values ($1, $2, $3, $4, $5, $6, $7, $8, true) on conflict (reference) do nothing`,
    valuesOf(payment),
  )
}

function valuesOf({ reference, userId, purpose, lines, pricePesewas, surchargePesewas, now, checkAt }: NewPayment) {
  return [reference, userId, purpose, lines && storeLines(lines), pricePesewas, surchargePesewas, now, checkAt]
}

/** What opens a payment at the provider; null when it was never initialized there. */
export async function selectAccessCode(db: Queryable, reference: string): Promise<string | null> {
  const { rows } = await db.query<{ code: string | null }>('select access_code as code from payments where reference = $1', [reference])
  return rows[0]?.code ?? null
}

export async function updateAccessCode(db: Queryable, reference: string, accessCode: string) {
  await db.query('update payments set access_code = $2 where reference = $1', [reference, accessCode])
}

export async function selectPayment(db: Queryable, reference: string): Promise<PaymentRow | null> {
  const { rows } = await db.query<PaymentRow>(`select ${PAYMENT} from payments where reference = $1`, [reference])
  return rows[0] ?? null
}

export async function lockPayment(tx: Tx, reference: string): Promise<PaymentRow | null> {
  const { rows } = await tx.query<PaymentRow>(`select ${PAYMENT} from payments where reference = $1 for update`, [reference])
  return rows[0] ?? null
}

/** The user whose upgrade a payment is for, locked until the transaction ends; null for other payments. */
export async function lockUpgradingUser(tx: Tx, reference: string): Promise<{ level: UserLevel; status: UserStatus } | null> {
  const { rows } = await tx.query<{ level: UserLevel; status: UserStatus }>(
    `select u.level, u.status from payments p join users u on u.id = p.user_id
     where p.reference = $1 and p.purpose = 'agent-upgrade' for no key update of u`,
    [reference],
  )
  return rows[0] ?? null
}

/** True when the payer, by account or by a guest's number, has bought a line of this payment in another way since it was started. */
export async function hasBoughtSince(
  tx: Tx,
  payment: Omit<PaymentRow, 'lines'> & { lines: readonly Pick<StoredLine, 'product' | 'offer' | 'receiver'>[] | null },
): Promise<boolean> {
  const { reference, userId, createdAt, lines } = payment
  if (userId === null) return hasGuestBoughtSince(tx, payment)
  const { rowCount } = await tx.query(
    `select from orders o join jsonb_to_recordset($1) as line(product uuid, offer text, receiver text)
       on (o.product_id, o.offer, o.receiver) = (line.product, line.offer, line.receiver)
     where o.user_id = $2 and o.created_at >= $3 and o.status <> 'rejected' and o.payment_reference is distinct from $4 limit 1`,
    [JSON.stringify(lines), userId, createdAt, reference],
  )
  return rowCount === 1
}

async function hasGuestBoughtSince(
  tx: Tx,
  { reference, guestPhone, createdAt, lines }: Parameters<typeof hasBoughtSince>[1],
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select from payments p join orders o on o.payment_reference = p.reference
       join jsonb_to_recordset($1) as line(product uuid, offer text, receiver text)
       on (o.product_id, o.offer, o.receiver) = (line.product, line.offer, line.receiver)
     where p.guest_phone = $2 and o.created_at >= $3 and o.status <> 'rejected' and p.reference <> $4 limit 1`,
    [JSON.stringify(lines), guestPhone, createdAt, reference],
  )
  return rowCount === 1
}

export type Settled = {
  status: 'paid' | 'held'
  reason: string | null
  receivedPesewas: number
  inWallet: boolean
  /** Of a top-up alone, and of any other payment. */
  toppedUpPesewas?: number
  leftPesewas?: number
  /** `forStaff`: it stays there until a person has looked. */
  onHold?: { pesewas: number; until: Date; forStaff?: boolean } | null
  /** Of a payment that the payer's client began: what waits for further orders. */
  unspent?: { pesewas: number; until: Date } | null
}

/** Money arrived: `paid` when what it was for exists; `held`, with a reason, when that could not be bought. */
export async function markSettled(tx: Tx, reference: string, settled: Settled & { now: Date }) {
  await tx.query(
    `update payments set status = $2, reason = $3, received_pesewas = $4, in_wallet = $5, settled_at = $6, check_at = null,
       topped_up_pesewas = $7, on_hold_pesewas = $8, on_hold_until = $9, unspent_pesewas = $10, unspent_until = $11, left_pesewas = $12, waits_for_staff = $13 where reference = $1`,
    [
      reference,
      settled.status,
      settled.reason,
      settled.receivedPesewas,
      settled.inWallet,
      settled.now,
      settled.toppedUpPesewas ?? null,
      settled.onHold?.pesewas ?? 0,
      settled.onHold?.until ?? null,
      settled.unspent?.pesewas ?? 0,
      settled.unspent?.until ?? null,
      settled.leftPesewas ?? 0,
      settled.onHold?.forStaff ?? false,
    ],
  )
}

/**
 * No money arrived. The payment is queried again at `checkAt`, if given; late money still settles it. False when it was not
 * open.
 */
export async function markUnpaid(
  db: Queryable,
  reference: string,
  { status, reason, checkAt = null }: { status: 'failed' | 'expired'; reason: string; checkAt?: Date | null },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update payments set status = $2, reason = $3, check_at = $4, checks = checks + $5 where reference = $1 and status = 'open'`,
    [reference, status, reason, checkAt, checkAt === null ? 0 : 1],
  )
  return rowCount === 1
}

/** A signed webhook event says that a closed payment was paid: poll it again until the provider confirms. */
export async function reopenPayment(db: Queryable, reference: string, checkAt: Date) {
  await db.query(`update payments set status = 'open', check_at = $2 where reference = $1 and status in ('failed', 'expired')`, [
    reference,
    checkAt,
  ])
}

/** When to query an unsettled payment again; null for not automatically. While open, `reason` holds the payer's progress. */
export async function scheduleCheck(db: Queryable, reference: string, checkAt: Date | null, progress: PaymentProgress | null) {
  await db.query(
    `update payments set check_at = $2, checks = checks + 1, reason = case when status = 'open' then coalesce($3, reason) else reason end
     where reference = $1 and status in ('open', 'expired')`,
    [reference, checkAt, progress],
  )
}

/** The payer asked and the provider could not be asked at once: when the payment is due, it comes before others. */
export async function markAsked(db: Queryable, reference: string, now: Date) {
  await db.query(`update payments set asked_at = $2 where reference = $1 and status = 'open' and asked_at is null`, [reference, now])
}

/**
 * Claims due payments by moving their next check on, so that no other process claims them too. Payers take turns (accounts, and for guests
 * their addresses, and in one address their numbers). In a turn first comes a payment whose payer asked, then one that was asked about less often,
 * then a newer one.
 */
export async function claimDuePayments(
  db: Queryable,
  { now, nextAt, limit }: { now: Date; nextAt: Date; limit: number },
): Promise<PaymentRow[]> {
  const { rows } = await db.query<PaymentRow>(
    `with due as (
       select reference, coalesce(user_id::text, guest_address, guest_phone) as payer, guest_phone, asked_at is null as quiet, checks, seq
       from payments where check_at <= $1
     ), of_number as (
       select *, row_number() over (partition by payer, guest_phone order by quiet, checks, seq desc) as in_number from due
     ), of_payer as (
       select *, row_number() over (partition by payer order by in_number, quiet, checks, seq desc) as turn from of_number
     ), chosen as (
       select reference from of_payer order by turn, quiet, checks, seq desc limit $3
     )
     update payments set check_at = $2, asked_at = null
     where reference in (
       select reference from payments where reference in (select reference from chosen) and check_at <= $1 for update skip locked
     ) returning ${PAYMENT}`,
    [now, nextAt, limit],
  )
  return rows
}

export type OwnPaymentRow = PaymentRow & { networks: Record<string, string>; settledAt: Date | null }

const OWN_PAYMENT = `${PAYMENT}, settled_at as "settledAt",
  coalesce((select jsonb_object_agg(known.id, known.network) from jsonb_array_elements(lines) line,
    lateral (select p.id, p.network from products p where p.id = (line ->> 'product')::uuid
      union select o.product_id, o.network from orders o
      where o.payment_reference = payments.reference and o.product_id = (line ->> 'product')::uuid) known), '{}') as networks`

export async function selectOwnPayment(db: Queryable, reference: string): Promise<OwnPaymentRow | null> {
  const { rows } = await db.query<OwnPaymentRow>(`select ${OWN_PAYMENT} from payments where reference = $1`, [reference])
  return rows[0] ?? null
}

/** A user's own payments, newest first; `networks` names the network of each line's product, also of deleted products. */
export async function selectOwnPayments(
  db: Queryable,
  { userId, open, limit, offset, search }: Page & { userId: string; open: boolean },
): Promise<{ payments: OwnPaymentRow[]; total: number }> {
  const matches = `user_id = $1 and (not $2 or status = 'open')
    and ($3::text[] is null or reference ilike any ($3) or shown_time(created_at) ilike any ($3)
      or shown_amount(price_pesewas + surcharge_pesewas) ilike any ($3)
      or exists (select from jsonb_array_elements(lines) line where line ->> 'offer' ilike any ($3) or line ->> 'receiver' ilike any ($3)))`
  const values = [userId, open, likePatterns(search)]
  const [page, count] = await Promise.all([
    db.query<OwnPaymentRow>(
      `select ${OWN_PAYMENT}
       from payments where ${matches} order by seq desc limit $4 offset $5`,
      [...values, limit, offset],
    ),
    db.query<{ total: number }>(`select count(*) as total from payments where ${matches}`, values),
  ])
  return { payments: page.rows, total: count.rows[0]?.total ?? 0 }
}

export type HeldPaymentRow = PaymentRow & { username: string; phone: string | null; settledAt: Date }

export async function selectHeldPayments(
  db: Queryable,
  { limit, offset, search }: Page,
): Promise<{ payments: HeldPaymentRow[]; total: number }> {
  const matches = `(p.status = 'held' or p.waits_for_staff) and ($1::text[] is null or p.reference ilike any ($1) or u.username ilike any ($1) or u.phone ilike any ($1) or p.guest_phone ilike any ($1)
    or p.reason ilike any ($1) or shown_time(p.settled_at) ilike any ($1) or shown_amount(p.received_pesewas) ilike any ($1))`
  const patterns = likePatterns(search)
  const columns = PAYMENT.replace('created_at', 'p.created_at').replace(' status', ' p.status')
  const [page, count] = await Promise.all([
    db.query<HeldPaymentRow>(
      `select ${columns}, coalesce(u.username, 'guest ' || p.guest_phone) as username, u.phone, p.settled_at as "settledAt"
       from payments p left join users u on u.id = p.user_id
       where ${matches} order by p.seq desc limit $2 offset $3`,
      [patterns, limit, offset],
    ),
    db.query<{ total: number }>(`select count(*) as total from payments p left join users u on u.id = p.user_id where ${matches}`, [
      patterns,
    ]),
  ])
  return { payments: page.rows, total: count.rows[0]?.total ?? 0 }
}
