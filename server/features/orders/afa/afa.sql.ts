import type { AfaState } from '../../../../shared/afa.ts'
import type { OrderStatus } from '../../../../shared/orders.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'
import { HOLD_REASON } from '../orders/payment-losses.sql.ts'

export type RegistrationRow = {
  orderId: string
  seq: number
  status: OrderStatus
  refundReason: string | null
  buyer: string
  details: Buffer | null
  orderedAt: Date
  consentedAt: Date | null
  sentAt: Date | null
  batch: number | null
  erasedAt: Date | null
}

const ROW = `o.id as "orderId", o.seq, o.status, o.refund_reason as "refundReason", coalesce(u.username, 'guest ' || o.guest_phone) as buyer,
  r.details, o.created_at as "orderedAt", r.consented_at as "consentedAt", r.sent_at as "sentAt", r.batch, r.erased_at as "erasedAt"`
const FROM = `orders o left join users u on u.id = o.user_id left join afa_registrations r on r.order_id = o.id`

const IN_STATE: Record<AfaState, string> = {
  needed: `o.status = 'pending' and r.order_id is null`,
  received: `o.status = 'pending' and r.order_id is not null and r.sent_at is null`,
  sent: `o.status = 'pending' and r.sent_at is not null`,
  registered: `o.status = 'completed'`,
  refused: `o.status = 'rejected'`,
}

/** One page, those that wait the longest first, ended ones newest first; and how many there are. */
export async function selectRegistrations(
  db: Queryable,
  { state, limit, offset }: { state: AfaState; limit: number; offset: number },
): Promise<{ rows: RegistrationRow[]; total: number }> {
  const where = `o.network = 'AFA' and ${IN_STATE[state]}`
  const newestFirst = state === 'registered' || state === 'refused'
  const page = await db.query<RegistrationRow>(
    `select ${ROW} from ${FROM} where ${where} order by o.seq ${newestFirst ? 'desc' : ''} limit $1 offset $2`,
    [limit, offset],
  )
  const count = await db.query<{ total: number }>(`select count(*) as total from ${FROM} where ${where}`)
  return { rows: page.rows, total: count.rows[0]?.total ?? 0 }
}

/** The AFA order with this id, and what is known of its registration. */
export async function selectRegistration(db: Queryable, orderId: string): Promise<RegistrationRow | null> {
  const { rows } = await db.query<RegistrationRow>(`select ${ROW} from ${FROM} where o.id = $1 and o.network = 'AFA'`, [orderId])
  return rows[0] ?? null
}

/** The same, with what is known kept from being erased until the transaction ends. */
export async function shareRegistration(tx: Tx, orderId: string): Promise<RegistrationRow | null> {
  await tx.query('select from afa_registrations where order_id = $1 for share', [orderId])
  return selectRegistration(tx, orderId)
}

/** The same, with the order locked until the transaction ends, so that it is not decided meanwhile. */
export async function lockRegistration(tx: Tx, orderId: string): Promise<RegistrationRow | null> {
  await tx.query('select from orders where id = $1 for no key update', [orderId])
  return selectRegistration(tx, orderId)
}

/** Whether the card is registered, or about to be, by another order. Two orders with one card wait for one another. */
export async function isCardTaken(tx: Tx, cardHash: Buffer, orderId: string | null): Promise<boolean> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('afa-card:' || encode($1, 'hex'), 0))`, [cardHash])
  const { rowCount } = await tx.query(
    `select from afa_registrations r join orders o on o.id = r.order_id
     where r.card_hash = $1 and r.order_id is distinct from $2 and o.status <> 'rejected' limit 1`,
    [cardHash, orderId],
  )
  return rowCount === 1
}

/** Whether the card is registered, or about to be, by an order of this account. */
export async function isOwnCardTaken(tx: Tx, cardHash: Buffer, userId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select from afa_registrations r join orders o on o.id = r.order_id
     where r.card_hash = $1 and o.user_id = $2 and o.status <> 'rejected' limit 1`,
    [cardHash, userId],
  )
  return rowCount === 1
}

export type NewAfaForm = {
  id: string
  userId: string | null
  shopId: string | null
  details: Buffer
  cardHash: Buffer
  now: Date
  /** The network of a guest's address, see `addressKey`. */
  guestAddress: string | null
}

/** A form with the same id is there already, and stays as it is. */
export async function insertForm(tx: Tx, { id, userId, shopId, details, cardHash, now, guestAddress }: NewAfaForm): Promise<void> {
  await tx.query(
    `insert into afa_forms (id, user_id, shop_id, details, card_hash, consented_at, guest_address) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (id) do nothing`,
    [id, userId, shopId, details, cardHash, now, guestAddress],
  )
}

/**
 * Deletes forms of a shop that has `most` or more, so that one more fits in: of the address with most of them, first those that no open payment
 * names, and of these the oldest. Guests whose form is gone when they have paid are asked for the details again.
 */
export async function makeRoomForForm(tx: Tx, shopId: string, most: number): Promise<void> {
  // The lock of `hold_share`, which counts the same rows after the insert.
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('forms of a shop ' || $1, 0))`, [shopId])
  const { rows } = await tx.query<{ kept: number }>('select count(*)::int as kept from afa_forms where shop_id = $1', [shopId])
  const tooMany = (rows[0]?.kept ?? 0) - most + 1
  if (tooMany <= 0) return
  await tx.query(
    `with paying as materialized (
       select line ->> 'afa' as form from payments p, jsonb_array_elements(p.lines) line where p.status = 'open' and p.shop_id = $1
     ), kept as (
       select id, consented_at, count(*) over (partition by guest_address) as together from afa_forms where shop_id = $1
     )
     delete from afa_forms where id in (
       select id from kept order by together desc, id::text in (select form from paying), consented_at limit $2
     )`,
    [shopId, tooMany],
  )
}

export async function deleteForms(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query('delete from afa_forms where id = any ($1)', [ids])
}

/** Erases the forms that nothing was bought with; those that a purchase uses at this moment stay. */
export async function deleteUnusedForms(db: Queryable, givenBefore: Date): Promise<void> {
  await db.query(
    `delete from afa_forms where id in (select id from afa_forms where consented_at < $1 order by consented_at limit 5000 for update skip locked)`,
    [givenBefore],
  )
}

type FormLine = { product: string | null; network: string | null; afa?: string | undefined }

/**
 * The place (from 0) of the first line whose form this account, or this shop's guest, has not given, or that is named twice or not for AFA; else
 * null. Whether its card is taken is not looked at.
 */
export async function selectMissingForm(
  db: Queryable,
  { userId, shopId, lines }: { userId: string | null; shopId: string | null; lines: readonly FormLine[] },
): Promise<number | null> {
  if (lines.every(({ afa }) => afa === undefined)) return null
  const { rows } = await db.query<{ index: number | null }>(
    `select min(line.place)::integer - 1 as index
     from unnest($3::uuid[], $4::text[], $5::uuid[]) with ordinality as line (product, network, form, place)
     left join products p on p.id = line.product
     left join afa_forms f on f.id = line.form and f.user_id is not distinct from $1 and f.shop_id is not distinct from $2
     where line.form is not null
       and (f.id is null or coalesce(p.network, line.network) is distinct from 'AFA' or array_position($5::uuid[], line.form) < line.place)`,
    [userId, shopId, lines.map(({ product }) => product), lines.map(({ network }) => network), lines.map(({ afa }) => afa ?? null)],
  )
  return rows[0]?.index ?? null
}

/** False when the details were sent on already. */
export async function upsertDetails(tx: Tx, given: { orderId: string; details: Buffer; cardHash: Buffer; now: Date }): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into afa_registrations as r (order_id, details, card_hash, consented_at) values ($1, $2, $3, $4)
     on conflict (order_id) do update set details = excluded.details, card_hash = excluded.card_hash, consented_at = excluded.consented_at
       where r.sent_at is null and r.erased_at is null`,
    [given.orderId, given.details, given.cardHash, given.now],
  )
  return rowCount === 1
}

/** Puts the details that wait the longest into a new batch, but not while the order's payment is disputed. Null when none waits. */
export async function takeBatch(tx: Tx, { most, now }: { most: number; now: Date }): Promise<number | null> {
  const { rows } = await tx.query<{ batch: number }>(
    `with waiting as (
       select r.order_id from afa_registrations r join orders o on o.id = r.order_id
       where r.sent_at is null and r.erased_at is null and o.status = 'pending' and ${HOLD_REASON} is null
       order by r.consented_at, r.order_id limit $1 for update of r skip locked
     ), made as (select nextval('afa_batches') as batch where exists (select from waiting))
     update afa_registrations r set sent_at = $2, batch = made.batch from waiting, made where r.order_id = waiting.order_id returning r.batch`,
    [most, now],
  )
  return rows[0]?.batch ?? null
}

/** What of a batch is not erased; it stays so until the transaction ends. */
export async function lockBatch(db: Tx, batch: number): Promise<RegistrationRow[]> {
  // Who erases them skips what is locked, or is waited for.
  await db.query('select from afa_registrations where batch = $1 order by order_id for share', [batch])
  const { rows } = await db.query<RegistrationRow>(
    `select ${ROW} from ${FROM} where r.batch = $1 and r.details is not null order by o.seq`,
    [batch],
  )
  return rows
}

/** Erases the details of orders that ended before then, some at a time; the numbers of these orders. */
export async function eraseDetails(tx: Tx, { endedBefore, now }: { endedBefore: Date; now: Date }): Promise<number[]> {
  const { rows } = await tx.query<{ seq: number }>(
    `with old as (
       select r.order_id, o.seq from afa_registrations r join orders o on o.id = r.order_id
       where r.erased_at is null and o.status <> 'pending' and o.decided_at < $1 order by o.seq limit 500 for update of r skip locked
     )
     update afa_registrations r set details = null, card_hash = null, erased_at = $2 from old where r.order_id = old.order_id returning old.seq`,
    [endedBefore, now],
  )
  return rows.map(({ seq }) => seq).sort((a, b) => a - b)
}
