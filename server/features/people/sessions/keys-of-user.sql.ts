import type { Queryable, Tx } from '../../../platform/db.ts'

/** Ends all keys of the developer API of a user. */
export async function updateKeysEnded(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx.query('update api_keys set ended_at = $2 where user_id = $1 and ended_at is null', [userId, now])
}

/** How many keys of a user work, those included that were replaced. */
export async function countKeysOfUser(db: Queryable, userId: string, now: Date): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::integer as count from api_keys where user_id = $1 and ended_at is null and (expires_at is null or expires_at > $2)',
    [userId, now],
  )
  return rows[0]?.count ?? 0
}

/** Schedules that wait since the password or the PIN changed, and where a user's webhooks go. */
export async function selectPausedAndWebhooks(db: Queryable, userId: string): Promise<{ paused: number; webhooks: string[] }> {
  const { rows } = await db.query<{ paused: number; webhooks: string[] }>(
    `select (select count(*)::integer from bulk_schedules where user_id = $1 and is_paused and paused_why is not null) as paused,
       array(select url from webhook_endpoints where user_id = $1 and ended_at is null and disabled_at is null order by created_at, id) as webhooks`,
    [userId],
  )
  return rows[0] as { paused: number; webhooks: string[] }
}

/** For the mails about these changes; begins with a space, empty for none. */
export function pausedSentence(paused: number): string {
  if (paused === 0) return ''
  const what = paused === 1 ? 'A list that was to be sent by itself is' : `${paused} lists that were to be sent by themselves are`
  return ` ${what} paused. Open Bulk order, and tap “Go on” if it is yours or “Remove” if it is not.`
}
