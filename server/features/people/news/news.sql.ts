import type { Queryable, Tx } from '../../../platform/db.ts'

/** Whether a user wants text messages about their orders; they do unless they said otherwise. */
export async function wantsSms(db: Queryable, userId: string): Promise<boolean> {
  const { rows } = await db.query<{ sms: boolean }>('select sms from news_preferences where user_id = $1', [userId])
  return rows[0]?.sms ?? true
}

export async function upsertNewsPreference(tx: Tx, userId: string, sms: boolean, now: Date) {
  await tx.query(
    `insert into news_preferences (user_id, sms, updated_at) values ($1, $2, $3)
     on conflict (user_id) do update set sms = excluded.sms, updated_at = excluded.updated_at`,
    [userId, sms, now],
  )
}
