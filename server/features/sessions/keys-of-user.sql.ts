import type { Queryable, Tx } from '../../platform/db.ts'

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
