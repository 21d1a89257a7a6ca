import type { WhatsappMessage, WhatsappStatus } from '../../../../shared/whatsapp.ts'
import type { ReceivedStatus, UnnumberedMessage, WhatsappText } from '../../../integrations/whatsapp/whatsapp-gateway.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'

export type MessageKind = WhatsappMessage['kind']
/** `values` fill the gaps of the template, where the message may go as one. */
export type MessageBody = WhatsappText & { values?: string[] }
export type MessageRow = {
  id: string
  kind: MessageKind
  phone: string
  body: MessageBody
  status: WhatsappStatus
  attempts: number
  createdAt: Date
  /** Milliseconds since the last attempt began, by the database's clock. */
  sinceSendingMs: number
}

type NewMessage = { kind: MessageKind; phone: string; replyTo?: string; orderId?: string; body: MessageBody; now: Date }

/** Returns the id; null when that message or that order was answered with one of this kind before. */
export async function insertMessage(tx: Tx, { kind, phone, replyTo, orderId, body, now }: NewMessage): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(
    `insert into whatsapp_messages (kind, phone, reply_to, order_id, body, status, created_at, updated_at)
     values ($1, $2, $3, $4, $5, 'waiting', $6, $6) on conflict do nothing returning id`,
    [kind, phone, replyTo ?? null, orderId ?? null, JSON.stringify(body), now],
  )
  return rows[0]?.id ?? null
}

/** One message, locked until the transaction ends. */
export async function lockMessage(tx: Tx, id: string): Promise<MessageRow | null> {
  const { rows } = await tx.query<MessageRow>(
    `select id, kind, phone, body, status, attempts, created_at as "createdAt",
       coalesce((extract(epoch from clock_timestamp() - sending_since) * 1000)::float8, 0) as "sinceSendingMs"
     from whatsapp_messages where id = $1 for update`,
    [id],
  )
  return rows[0] ?? null
}

export async function markSending(tx: Tx, id: string, now: Date) {
  await tx.query(
    `update whatsapp_messages set status = 'sending', attempts = attempts + 1, sending_since = clock_timestamp(), updated_at = $2 where id = $1`,
    [id, now],
  )
}

/** With `attempt`, only if that is still the latest attempt. */
export async function updateMessage(
  db: Queryable,
  id: string,
  change: { status: WhatsappStatus; detail: string; providerId?: string },
  { now, attempt = null }: { now: Date; attempt?: number | null },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update whatsapp_messages set status = $2, detail = $3, provider_id = coalesce($4, provider_id), updated_at = $5
     where id = $1 and ($6::integer is null or (status = 'sending' and attempts = $6))`,
    [id, change.status, change.detail, change.providerId ?? null, now, attempt],
  )
  return (rowCount ?? 0) > 0
}

/** Notes that a person without a number wrote, once a day for each. */
export async function insertUnnumbered(db: Queryable, { id, userId, name }: UnnumberedMessage, now: Date) {
  await db.query(
    `insert into whatsapp_messages (kind, provider_id, body, detail, status, created_at, updated_at)
     select 'unnumbered', $1, jsonb_build_object('userId', $2::text), $3, 'left-out', $4, $4
     where not exists (
       select from whatsapp_messages where created_at > $4::timestamptz - interval '1 day' and kind = 'unnumbered' and body ->> 'userId' = $2)
     on conflict do nothing`,
    [id, userId, name, now],
  )
}

export async function insertStatus(db: Queryable, { providerId, status, at, reason }: ReceivedStatus) {
  await db.query('insert into whatsapp_statuses (provider_id, status, at, reason) values ($1, $2, $3, $4) on conflict do nothing', [
    providerId,
    status,
    at,
    reason,
  ])
}

/** News that was taken and then refused since the 24 hours were over: to be sent again as a template, once. */
export async function lockNewsOutsideWindow(tx: Tx, providerId: string): Promise<{ id: string; phone: string } | null> {
  const { rows } = await tx.query<{ id: string; phone: string }>(
    `select id, phone from whatsapp_messages where provider_id = $1 and kind in ('delivered', 'refunded') and status = 'sent' and attempts = 1 for update`,
    [providerId],
  )
  return rows[0] ?? null
}

export type ShownMessage = Pick<MessageRow, 'id' | 'kind' | 'status' | 'createdAt'> & {
  phone: string | null
  detail: string
  deliveredAt: Date | null
  readAt: Date | null
  failed: string | null
}

export async function selectNewest(db: Queryable, limit: number): Promise<ShownMessage[]> {
  const at = (status: string) => `(select at from whatsapp_statuses s where s.provider_id = m.provider_id and s.status = '${status}')`
  const { rows } = await db.query<ShownMessage>(
    `select m.id, m.kind, m.phone, m.status, m.detail, m.created_at as "createdAt", ${at('delivered')} as "deliveredAt", ${at('read')} as "readAt",
       (select reason from whatsapp_statuses s where s.provider_id = m.provider_id and s.status = 'failed') as failed
     from whatsapp_messages m order by m.seq desc limit $1`,
    [limit],
  )
  return rows
}
