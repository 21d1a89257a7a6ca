import type { AfaState } from '../../../shared/afa.ts'
import type { OrderStatus } from '../../../shared/orders.ts'
import type { Queryable, Tx } from '../../platform/db.ts'

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

/** The same, with the order locked until the transaction ends, so that it is not decided meanwhile. */
export async function lockRegistration(tx: Tx, orderId: string): Promise<RegistrationRow | null> {
  await tx.query('select from orders where id = $1 for no key update', [orderId])
  return selectRegistration(tx, orderId)
}

/** Whether the card is registered, or about to be, by another order. Two orders with one card wait for one another. */
export async function isCardTaken(tx: Tx, cardHash: Buffer, orderId: string): Promise<boolean> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('afa-card:' || encode($1, 'hex'), 0))`, [cardHash])
  const { rowCount } = await tx.query(
    `select from afa_registrations r join orders o on o.id = r.order_id
     where r.card_hash = $1 and r.order_id <> $2 and o.status <> 'rejected' limit 1`,
    [cardHash, orderId],
  )
  return rowCount === 1
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

/** Puts the details that wait the longest into a new batch. Null when none waits. */
export async function takeBatch(tx: Tx, { most, now }: { most: number; now: Date }): Promise<number | null> {
  const { rows } = await tx.query<{ batch: number }>(
    `with waiting as (
       select r.order_id from afa_registrations r join orders o on o.id = r.order_id
       where r.sent_at is null and r.erased_at is null and o.status = 'pending' order by r.consented_at, r.order_id limit $1 for update of r skip locked
     ), made as (select nextval('afa_batches') as batch where exists (select from waiting))
     update afa_registrations r set sent_at = $2, batch = made.batch from waiting, made where r.order_id = waiting.order_id returning r.batch`,
    [most, now],
  )
  return rows[0]?.batch ?? null
}

/** What of a batch is not erased. */
export async function selectBatch(db: Queryable, batch: number): Promise<RegistrationRow[]> {
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
