import type { Queryable } from '../../platform/db.ts'

/** Keeps a notice before it is answered; a repetition of one that is kept changes nothing. */
export async function insertWebhookEvent(
  db: Queryable,
  notice: { bodyHash: Buffer; event: string; reference: string | null; body: string; now: Date },
) {
  await db.query(
    `insert into webhook_events (body_hash, event, reference, body, received_at) values ($1, $2, $3, $4, $5) on conflict (body_hash) do nothing`,
    [notice.bodyHash, notice.event, notice.reference, notice.body, notice.now],
  )
}

export async function selectWaitingEvents(
  db: Queryable,
  limit: number,
): Promise<{ id: number; event: string; reference: string | null }[]> {
  const { rows } = await db.query<{ id: number; event: string; reference: string | null }>(
    'select id, event, reference from webhook_events where handled_at is null order by id limit $1',
    [limit],
  )
  return rows
}

export async function markEventHandled(db: Queryable, id: number, now: Date) {
  await db.query('update webhook_events set handled_at = $2 where id = $1', [id, now])
}
