import type { Airtime } from '../../../../shared/airtime.ts'
import type { Network } from '../../../../shared/networks.ts'
import type { OrderStatus } from '../../../../shared/orders.ts'
import type { DeliveryStatus, SupplierName } from '../../../../shared/suppliers.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'
import { HOLD_REASON } from './payment-losses.sql.ts'

export type DeliveryRow = {
  orderId: string
  reference: string
  supplier: SupplierName
  /** Null for airtime. */
  volumeMb: number | null
  airtime: Airtime | null
  status: DeliveryStatus
  detail: string
  supplierReference: string | null
  attempts: number
  resent: number
  asked: number
  notFound: number
  /** Milliseconds, by the database's clock. */
  sinceSentMs: number
  sinceNotFoundMs: number | null
  /** Since when the network verifies the receiver's number; null when it does not. */
  verifyingSince: Date | null
  network: Network
  receiver: string
  orderStatus: OrderStatus
  /** Sent once more because of a report, under a reference of its own. */
  isResend: boolean
  /** Why its card payment keeps the order from being sent; null when it may be sent. */
  holdReason: string | null
}

const DELIVERY = `d.order_id as "orderId", d.reference, d.supplier, d.volume_mb as "volumeMb",
  case when d.airtime_pesewas is not null then jsonb_build_object('operator', d.airtime_operator, 'amountPesewas', d.airtime_pesewas) end as airtime, d.status, d.detail,
  d.supplier_reference as "supplierReference", d.attempts, d.resent, d.asked, d.not_found as "notFound", d.verifying_since as "verifyingSince",
  coalesce((extract(epoch from clock_timestamp() - d.sent_at) * 1000)::float8, 0) as "sinceSentMs",
  (extract(epoch from clock_timestamp() - d.not_found_at) * 1000)::float8 as "sinceNotFoundMs",
  o.network, o.receiver, o.status as "orderStatus",
  d.reference <> o.reference and exists (select from reports r where r.resend_reference = d.reference) as "isResend",
  ${HOLD_REASON} as "holdReason"`

/** How often an order may be sent again although the supplier might have had it; the database enforces it too. */
export const MOST_RESENT = 2

/** Data of a volume, or airtime. */
export type NewDelivery = { orderId: string; reference: string; supplier: SupplierName; volumeMb: number | null; airtime?: Airtime | null }

/** `notFoundApartMs`: the least time between two "not found" answers before an order is sent again; enforced by the database. */
export async function insertDeliveries(
  tx: Queryable,
  deliveries: NewDelivery[],
  { now, notFoundApartMs }: { now: Date; notFoundApartMs: number },
) {
  await tx.query(
    `insert into supplier_deliveries (order_id, reference, supplier, volume_mb, airtime_operator, airtime_pesewas, not_found_apart_ms, created_at, updated_at)
     select "orderId", reference, supplier, "volumeMb", airtime ->> 'operator', (airtime ->> 'amountPesewas')::integer, $3, $2, $2
     from jsonb_to_recordset($1) as made("orderId" uuid, reference text, supplier text, "volumeMb" integer, airtime jsonb)
     on conflict (order_id) do nothing`,
    [JSON.stringify(deliveries), now, notFoundApartMs],
  )
}

export async function selectDelivery(db: Queryable, orderId: string): Promise<DeliveryRow | null> {
  const { rows } = await db.query<DeliveryRow>(
    `select ${DELIVERY} from supplier_deliveries d join orders o on o.id = d.order_id where d.order_id = $1`,
    [orderId],
  )
  return rows[0] ?? null
}

/** Locks the order and then its delivery until the transaction ends, in the same order as a decision. */
export async function lockDelivery(tx: Tx, orderId: string): Promise<DeliveryRow | null> {
  await tx.query('select from orders where id = $1 for update', [orderId])
  await tx.query('select from supplier_deliveries where order_id = $1 for update', [orderId])
  return selectDelivery(tx, orderId)
}

type Attempt = Pick<DeliveryRow, 'attempts' | 'resent'>

/** Records that a call is about to be made and returns the attempt's number. */
export async function markSending(tx: Tx, orderId: string, now: Date): Promise<Attempt> {
  const { rows } = await tx.query<Attempt>(
    `update supplier_deliveries set status = 'sending', attempts = attempts + 1, resent = resent + (status = 'unknown')::integer,
       sent_at = clock_timestamp(), not_found = 0, not_found_at = null, updated_at = $2
     where order_id = $1 returning attempts, resent`,
    [orderId, now],
  )
  return rows[0] as Attempt
}

export type DeliveryChange = {
  status: DeliveryStatus
  detail: string
  supplierReference?: string | null
  notFound?: 'again' | 'never-mind'
  /** The network verifies the receiver's number, or does not any more; left out where nothing is known of it. */
  verifying?: boolean
}

/** Updates a delivery. With `attempt`, only if that is still the latest attempt, under the same reference. */
export async function updateDelivery(
  tx: Tx,
  orderId: string,
  { status, detail, supplierReference = null, notFound, verifying }: DeliveryChange,
  { now, attempt, asked = false }: { now: Date; attempt?: Pick<DeliveryRow, 'reference' | 'attempts'>; asked?: boolean },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update supplier_deliveries set status = $2, detail = $3, supplier_reference = coalesce($4, supplier_reference), updated_at = $5,
       asked = asked + $7::integer,
       not_found = case $8 when 'again' then not_found + 1 when 'never-mind' then 0 else not_found end,
       not_found_at = case $8 when 'again' then clock_timestamp() when 'never-mind' then null else not_found_at end,
       verifying_since = case $10::boolean when true then coalesce(verifying_since, $5) when false then null else verifying_since end
     where order_id = $1 and ($6::integer is null or (status = 'sending' and attempts = $6 and reference = $9))`,
    [
      orderId,
      status,
      detail,
      supplierReference,
      now,
      attempt?.attempts ?? null,
      asked ? 1 : 0,
      notFound ?? 'same',
      attempt?.reference ?? null,
      verifying ?? null,
    ],
  )
  return (rowCount ?? 0) > 0
}

/**
 * Begins a delivery anew under another reference, which the database allows only once and for a report. Returns false for an
 * order that a person processes.
 */
export async function restartDelivery(tx: Tx, orderId: string, reference: string, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update supplier_deliveries set reference = $2, status = 'waiting', detail = 'sent again because of a report', supplier_reference = null,
       attempts = 0, resent = 0, asked = 0, not_found = 0, not_found_at = null, sent_at = null, accepted_at = null, delivered_at = null,
       verifying_since = null, updated_at = $3
     where order_id = $1`,
    [orderId, reference, now],
  )
  return rowCount === 1
}

/**
 * Records that an order goes on to another supplier by itself, and begins its delivery anew there. The database refuses it for an order
 * that its supplier may still deliver, and for a supplier that refused it before. Lock the order first.
 */
export async function restartByItself(
  tx: Tx,
  { orderId, to, why, now }: { orderId: string; to: { supplier: SupplierName; reference: string }; why: string; now: Date },
) {
  await tx.query(
    `insert into delivery_restarts (order_id, reference, to_supplier, from_supplier, from_reference, from_status, from_sent_at,
       from_accepted_at, looked_at_portal, restarted_by, restarted_at, why)
     select order_id, $2, $3, supplier, reference, status, sent_at, accepted_at, false, null, $4, $5 from supplier_deliveries where order_id = $1`,
    [orderId, to.reference, to.supplier, now, why],
  )
  await beginAnew(tx, { orderId, to, detail: 'goes to the next supplier', now })
}

async function beginAnew(
  tx: Tx,
  { orderId, to, detail, now }: { orderId: string; to: { supplier: SupplierName; reference: string }; detail: string; now: Date },
) {
  await tx.query(
    `update supplier_deliveries set reference = $2, supplier = $3, status = 'waiting', detail = $5, supplier_reference = null,
       attempts = 0, resent = 0, asked = 0, not_found = 0, not_found_at = null, sent_at = null, accepted_at = null, delivered_at = null,
       verifying_since = null, updated_at = $4
     where order_id = $1`,
    [orderId, to.reference, to.supplier, now, detail],
  )
}

export type DeliveryRestart = {
  orderId: string
  /** The supplier and the new reference, or null where a person sends it. */
  to: { supplier: SupplierName; reference: string } | null
  lookedAtPortal: boolean
  by: string
  now: Date
}

/**
 * Records that an admin sends an order again, and begins its delivery anew, or takes it back to be sent by hand. The database
 * refuses it for an order that its supplier may still deliver. Lock the order first.
 */
export async function restartByAdmin(tx: Tx, { orderId, to, lookedAtPortal, by, now }: DeliveryRestart) {
  await tx.query(
    `insert into delivery_restarts (order_id, reference, to_supplier, from_supplier, from_reference, from_status, from_sent_at,
       from_accepted_at, looked_at_portal, restarted_by, restarted_at)
     select order_id, $2, $3, supplier, reference, status, sent_at, accepted_at, $4, $5, $6 from supplier_deliveries where order_id = $1`,
    [orderId, to?.reference ?? null, to?.supplier ?? null, lookedAtPortal, by, now],
  )
  if (to === null) {
    await tx.query(
      `update supplier_deliveries set status = 'cancelled', detail = 'taken back to be sent by hand', updated_at = $2 where order_id = $1`,
      [orderId, now],
    )
  } else {
    await beginAnew(tx, { orderId, to, detail: 'sent again by an admin', now })
  }
}

/** Cancels the delivery of an order decided by hand if it was not sent. */
export async function cancelUnsent(tx: Tx, orderId: string, detail: string, now: Date) {
  await tx.query(
    `update supplier_deliveries set status = 'cancelled', detail = $2, updated_at = $3 where order_id = $1 and status = 'waiting'`,
    [orderId, detail, now],
  )
}

/** The orders of a card payment or top-up that are still to be sent. */
export async function selectWaitingDeliveries(tx: Tx, paymentReference: string): Promise<string[]> {
  const { rows } = await tx.query<{ orderId: string }>(
    `select d.order_id as "orderId" from supplier_deliveries d join orders o on o.id = d.order_id
     where (o.payment_reference = $1 or o.top_up_reference = $1
       or o.id = any (array(select h.order_id from disputed_orders h where h.payment_reference = $1))) and (d.status = 'waiting' or (d.status = 'unknown' and d.not_found >= 2)) order by o.seq`,
    [paymentReference],
  )
  return rows.map(({ orderId }) => orderId)
}

/** An order's delivery status, locked until the transaction ends; null when a person processes it. Lock the order first. */
export async function lockStanding(tx: Tx, orderId: string): Promise<DeliveryStatus | null> {
  const { rows } = await tx.query<{ status: DeliveryStatus }>(`select status from supplier_deliveries where order_id = $1 for update`, [
    orderId,
  ])
  return rows[0]?.status ?? null
}

export async function selectOrderIdByReference(db: Queryable, reference: string): Promise<string | null> {
  const { rows } = await db.query<{ orderId: string }>('select order_id as "orderId" from supplier_deliveries where reference = $1', [
    reference,
  ])
  return rows[0]?.orderId ?? null
}

export type EarlierDelivery = { orderId: string; supplier: string }

/** The order that was sent to a supplier under this reference, and went on or was sent again since. */
export async function selectEarlierDelivery(db: Queryable, reference: string): Promise<EarlierDelivery | null> {
  const { rows } = await db.query<EarlierDelivery>(
    `select order_id as "orderId", from_supplier as supplier from delivery_restarts
     where from_reference = $1 and from_sent_at is not null order by id desc limit 1`,
    [reference],
  )
  return rows[0] ?? null
}

/** Notes in an order's history, once for each reference, that a supplier which it has left delivered it. Lock the order first. */
export async function insertDeliveredAfterAll(
  tx: Tx,
  { orderId, supplier, reference, now }: { orderId: string; supplier: SupplierName; reference: string; now: Date },
) {
  await tx.query(
    `insert into delivery_events (order_id, supplier, reference, kind, detail, at) values ($1, $2, $3, 'delivered-after-all', '', $4)
     on conflict (reference) where kind = 'delivered-after-all' do nothing`,
    [orderId, supplier, reference, now],
  )
}

export async function selectWebhookSecret(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ secret: string }>('select secret from supplier_webhook')
  return (rows[0] as { secret: string }).secret
}
