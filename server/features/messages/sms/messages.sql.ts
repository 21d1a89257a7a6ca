import { isoDay } from '../../../../shared/dates.ts'
import type { DeliveryStatus } from '../../../../shared/suppliers.ts'
import { lesserCap } from '../../../platform/day-caps.sql.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'
import { countShareRefused } from '../../../platform/metrics.ts'

/** Under this name the metrics count messages that were not sent, since the day's are used up. */
export const MESSAGES_OF_THE_DAY = 'messages of the day'

export type MessageStatus = 'waiting' | 'sending' | 'sent' | 'failed' | 'unknown' | 'for-digest' | 'in-digest' | 'over-cap'
export type MessageRow = {
  id: string
  kind:
    | 'order'
    | 'completed'
    | 'digest'
    | 'rejected'
    | 'verifying'
    | 'reply'
    | 'alarm'
    | 'refund'
    | 'refund-code'
    | 'payout-code'
    | 'payout-number'
    | 'checker'
  /** The refund that it is about, of those two kinds. */
  refundId: string | null
  /** Of `payout-code`. */
  payoutCodeId: string | null
  /** Of `checker`: the code that it brings. */
  checkerCodeId: number | null
  receiver: string
  body: string
  /** A code to a number that its account has confirmed. */
  reserved: boolean
  status: MessageStatus
  attempts: number
  /** Milliseconds since the last attempt began, by the database's clock. */
  sinceSendingMs: number
  /** How many messages the shop sends a day, at most. */
  dailyCap: number
}

/** An arbitrary advisory lock number, used nowhere else. */
const OPERATOR_MESSAGES_LOCK = 0x64777373

/** Until the transaction ends, no other one adds or combines messages for the operator. */
export async function lockOperatorMessages(tx: Tx) {
  await tx.query('select pg_advisory_xact_lock($1)', [OPERATOR_MESSAGES_LOCK])
}

/** How many orders the operator was notified of since then, at most `most`. */
export async function countOrderMessages(tx: Tx, since: Date, most: number): Promise<number> {
  const { rows } = await tx.query<{ total: number }>(
    `select count(*) as total from (select from sms_messages where kind = 'order' and created_at > $1 limit $2) recent`,
    [since, most],
  )
  return rows[0]?.total ?? 0
}

/**
 * Of a day, how many messages told the operator of one order each: of all, and by customer (a guest's by their number) of those asked for.
 */
export async function countToldSingly(tx: Tx, day: string, customers: string[]): Promise<{ all: number; by: Map<string, number> }> {
  const { rows } = await tx.query<{ customer: string; told: number }>(
    `select coalesce(o.user_id::text, o.guest_phone) as customer, count(*) as told from sms_messages m join orders o on o.id = m.order_id
     where m.kind = 'order' and m.created_at >= $1::date and m.created_at < $1::date + 1 and m.status not in ('for-digest', 'in-digest', 'over-cap')
     group by 1`,
    [day],
  )
  const asked = rows.filter(({ customer }) => customers.includes(customer))
  return {
    all: rows.reduce((sum, { told }) => sum + told, 0),
    by: new Map(asked.map(({ customer, told }) => [customer, told])),
  }
}

/** What of a day's messages some of them may use, of the most that the shop sends. */
export type PartOfDay = (dailyCap: number) => number
export const wholeDay: PartOfDay = (dailyCap) => dailyCap

/** Whether the day's messages are used up, so that one that is asked for now would not be sent. Half of them are kept for `reserved` ones. */
export async function selectIsDayFull(
  db: Queryable,
  now: Date,
  { reserved = false, part = lesserCap }: { reserved?: boolean; part?: PartOfDay } = {},
): Promise<boolean> {
  const { rows } = await db.query<{ used: number; dailyCap: number }>(
    `select coalesce((select used from sms_days where day = $1), 0) as used, sms_daily_cap as "dailyCap" from operations_settings`,
    [isoDay(now)],
  )
  const [day] = rows
  return day !== undefined && day.used >= (reserved ? wholeDay : part)(day.dailyCap)
}

/** Adds a message and returns its id; null when the order already has one of this kind, or the answer to a report has one. */
export async function insertMessage(
  tx: Tx,
  message: {
    kind: MessageRow['kind']
    orderId: string | null
    reportMessageId: number | null
    refundId?: string
    payoutCodeId?: string
    reserved?: boolean
    receiver: string
    body: string
    status: 'waiting' | 'for-digest'
    now: Date
  },
): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(
    `insert into sms_messages (kind, order_id, receiver, body, status, created_at, updated_at, report_message_id, refund_id, payout_code_id, reserved)
     values ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9, $10) on conflict do nothing returning id`,
    [
      message.kind,
      message.orderId,
      message.receiver,
      message.body,
      message.status,
      message.now,
      message.reportMessageId,
      message.refundId ?? null,
      message.payoutCodeId ?? null,
      message.reserved ?? false,
    ],
  )
  return rows[0]?.id ?? null
}

export type OrderMessage = { kind: 'order' | 'completed'; orderId: string; receiver: string; body: string }

/**
 * Adds messages about orders and returns the ids of those to send; an order that already has one of this kind gets no other. Once the day's are
 * known to be used up, those that would wait are over the cap at once.
 */
export async function insertOrderMessages(
  tx: Tx,
  status: 'waiting' | 'for-digest',
  messages: OrderMessage[],
  now: Date,
): Promise<string[]> {
  if (messages.length === 0) return []
  const { rows } = await tx.query<{ id: string; status: MessageStatus }>(
    `insert into sms_messages (kind, order_id, receiver, body, status, detail, created_at, updated_at)
     select m.kind, m.order_id, m.receiver, m.body, case when full_at is null then $5 else 'over-cap' end,
       case when full_at is null then '' else 'the day''s ' || full_at || ' messages are used up' end, $6, $6
     from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as m (kind, order_id, receiver, body)
     left join (
       select (s.sms_daily_cap * 3 + 7) / 8 as full_at from operations_settings s join sms_days d on d.used * 8 >= s.sms_daily_cap * 3
       where d.day = $7 and d.full_warned and $5 = 'waiting'
     ) as day on true
     on conflict do nothing returning id, status`,
    [
      messages.map(({ kind }) => kind),
      messages.map(({ orderId }) => orderId),
      messages.map(({ receiver }) => receiver),
      messages.map(({ body }) => body),
      status,
      now,
      isoDay(now),
    ],
  )
  return rows.flatMap((message) => {
    if (message.status !== 'over-cap') return message.id
    countShareRefused(MESSAGES_OF_THE_DAY)
    return []
  })
}

/** The list that an order was bought with, and whether it is the first of it. */
export type ListOf = { orders: number; isFirst: boolean }

/** By order; those that were bought by themselves have none. */
export async function selectListsOf(db: Queryable, orderIds: string[]): Promise<Map<string, ListOf>> {
  const { rows } = await db.query<ListOf & { orderId: string }>(
    `select o.id as "orderId", j.lines as orders, j.first_seq = o.seq as "isFirst"
     from bulk_lines l join bulk_jobs j on j.id = l.job_id join orders o on o.id = l.order_id where l.order_id = any ($1::uuid[])`,
    [orderIds],
  )
  return new Map(rows.map(({ orderId, ...list }) => [orderId, list]))
}

export type ForDigest = { messageId: string; network: string; offer: string; receiver: string; delivery: DeliveryStatus | null }

/** Orders that wait for a digest, oldest first. */
export async function selectForDigest(tx: Tx): Promise<ForDigest[]> {
  const { rows } = await tx.query<ForDigest>(
    `select m.id as "messageId", o.network, o.offer, o.receiver, d.status as delivery
     from sms_messages m join orders o on o.id = m.order_id left join supplier_deliveries d on d.order_id = o.id
     where m.status = 'for-digest' order by o.seq`,
  )
  return rows
}

export async function moveIntoDigest(tx: Tx, digestId: string, messageIds: string[], now: Date) {
  await tx.query(
    `update sms_messages set status = 'in-digest', digest_id = $1, updated_at = $2 where id = any ($3::uuid[]) and status = 'for-digest'`,
    [digestId, now, messageIds],
  )
}

/** One message, locked until the transaction ends. */
export async function lockMessage(tx: Tx, id: string): Promise<MessageRow | null> {
  return (await lockMessages(tx, [id]))[0] ?? null
}

/** Messages, locked until the transaction ends; oldest first. */
export async function lockMessages(tx: Tx, ids: string[]): Promise<MessageRow[]> {
  const { rows } = await tx.query<MessageRow>(
    `select id, kind, refund_id as "refundId", payout_code_id as "payoutCodeId", checker_code_id as "checkerCodeId", receiver, body, reserved, status, attempts,
       coalesce((extract(epoch from clock_timestamp() - sending_since) * 1000)::float8, 0) as "sinceSendingMs",
       (select sms_daily_cap from operations_settings) as "dailyCap"
     from sms_messages where id = any ($1) order by created_at, id for update`,
    [ids],
  )
  return rows
}

export async function markMessagesSending(tx: Tx, ids: string[], now: Date) {
  await tx.query(
    `update sms_messages set status = 'sending', attempts = attempts + 1, sending_since = clock_timestamp(), updated_at = $2 where id = any ($1)`,
    [ids, now],
  )
}

export async function markMessagesOverCap(tx: Tx, ids: string[], detail: string, now: Date) {
  await tx.query(`update sms_messages set status = 'over-cap', detail = $2, updated_at = $3 where id = any ($1)`, [ids, detail, now])
}

/** Updates a message. With `attempt`, only if that is still the latest attempt. */
export async function updateMessage(
  db: Queryable,
  id: string,
  change: { status: MessageStatus; detail: string; providerId?: string | null },
  { now, attempt = null }: { now: Date; attempt?: number | null },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update sms_messages set status = $2, detail = $3, provider_id = coalesce($4, provider_id), updated_at = $5
     where id = $1 and ($6::integer is null or (status = 'sending' and attempts = $6))`,
    [id, change.status, change.detail, change.providerId ?? null, now, attempt],
  )
  return (rowCount ?? 0) > 0
}
