import type { Queryable, Tx } from '../../../platform/db.ts'

export async function selectPasswordHash(db: Queryable, userId: string): Promise<string | null> {
  const { rows } = await db.query<{ hash: string }>('select password_hash as hash from users where id = $1', [userId])
  return rows[0]?.hash ?? null
}

/** False when the password is no longer the one that was checked. */
export async function updateOwnPassword(tx: Tx, change: { userId: string; from: string; to: string }): Promise<boolean> {
  const { rowCount } = await tx.query('update users set password_hash = $3 where id = $1 and password_hash = $2', [
    change.userId,
    change.from,
    change.to,
  ])
  if (rowCount === 1) await tx.query('delete from password_resets where user_id = $1', [change.userId])
  return rowCount === 1
}

/** False when the password is no longer the one that was checked. */
export async function updateContact(
  tx: Tx,
  change: { userId: string; passwordHash: string; email: string; phone: string },
): Promise<boolean> {
  const { rowCount } = await tx.query('update users set email = $3, phone = $4 where id = $1 and password_hash = $2', [
    change.userId,
    change.passwordHash,
    change.email,
    change.phone,
  ])
  // A link that was mailed to the old address must not open the account any more.
  await tx.query('delete from password_resets where user_id = $1', [change.userId])
  return rowCount === 1
}

/** False when the session has ended, or the password is no longer the one that was checked. */
export async function noteConfirmedPassword(
  db: Queryable,
  { sessionHash, passwordHash, now }: { sessionHash: Buffer; passwordHash: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update sessions s set password_at = $3 from users u
     where s.token_hash = $1 and s.expires_at > $3 and u.id = s.user_id and u.password_hash = $2 and u.status = 'Active'`,
    [sessionHash, passwordHash, now],
  )
  return rowCount === 1
}
