import type { Queryable } from '../../../platform/db.ts'

/** Stores an event; a repetition changes nothing. */
export async function insertWebhookEvent(
  db: Queryable,
  received: { bodyHash: Buffer; event: string; reference: string | null; body: string; now: Date },
) {
  await db.query(
    `insert into webhook_events (body_hash, event, reference, body, received_at) values ($1, $2, $3, $4, $5) on conflict (body_hash) do nothing`,
    [received.bodyHash, received.event, received.reference, received.body, received.now],
  )
}

export type WaitingEvent = { id: number; event: string; reference: string | null; body: string }

/** Events not handled yet, oldest first. */
export async function selectWaitingEvents(db: Queryable, limit: number): Promise<WaitingEvent[]> {
  const { rows } = await db.query<WaitingEvent>(
    'select id, event, reference, body from webhook_events where handled_at is null and queued_at is null order by id limit $1',
    [limit],
  )
  return rows
}

/** An event, if it was not handled yet; otherwise null. */
export async function selectUnhandledEvent(db: Queryable, id: number): Promise<WaitingEvent | null> {
  const { rows } = await db.query<WaitingEvent>(
    'select id, event, reference, body from webhook_events where id = $1 and handled_at is null',
    [id],
  )
  return rows[0] ?? null
}

/** A job retries it from here on; false when another process has already queued it. */
export async function markEventQueued(db: Queryable, id: number, now: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    'update webhook_events set queued_at = $2 where id = $1 and handled_at is null and queued_at is null',
    [id, now],
  )
  return rowCount === 1
}

export async function markEventHandled(db: Queryable, id: number, now: Date) {
  await db.query('update webhook_events set handled_at = $2 where id = $1', [id, now])
}
