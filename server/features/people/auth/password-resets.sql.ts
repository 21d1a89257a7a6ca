import type { Queryable, Tx } from '../../../platform/db.ts'
import { IS_KNOWN } from '../users/known-users.sql.ts'

export async function insertResetRequest(db: Queryable, email: string, now: Date) {
  await db.query('insert into password_reset_requests (email, requested_at, try_at) values ($1, $2, $2)', [email, now])
}

export type ResetRequest = { id: number; email: string; requestedAt: Date; attempts: number }

/** Claims due requests by moving their next attempt on, so that no other process claims them too. */
export async function claimResetRequests(
  db: Queryable,
  { now, nextAt, limit }: { now: Date; nextAt: Date; limit: number },
): Promise<ResetRequest[]> {
  const { rows } = await db.query<ResetRequest>(
    `update password_reset_requests set attempts = attempts + 1, try_at = $2
     where id in (select id from password_reset_requests where try_at <= $1 order by try_at limit $3 for update skip locked)
     returning id, email, requested_at as "requestedAt", attempts`,
    [now, nextAt, limit],
  )
  return rows
}

export async function finishResetRequest(db: Queryable, id: number, lastError: string | null) {
  await db.query('update password_reset_requests set try_at = null, last_error = $2 where id = $1', [id, lastError])
}

export async function delayResetRequest(db: Queryable, id: number, tryAt: Date, lastError: string) {
  await db.query('update password_reset_requests set try_at = $2, last_error = $3 where id = $1', [id, tryAt, lastError])
}

export const ASKED_TOO_OFTEN = 'asked for too often'

/**
 * Counts earlier requests for an address since a time, except those refused for being too frequent: otherwise someone who
 * keeps asking in another's name would block their mails for ever.
 */
export async function countEarlierRequests(db: Queryable, request: ResetRequest, since: Date): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    `select count(*) as total from password_reset_requests
     where email = $1 and requested_at > $2 and id < $3 and last_error is distinct from $4`,
    [request.email, since, request.id, ASKED_TOO_OFTEN],
  )
  return rows[0]?.total ?? 0
}

/** Deletes requests made before `since` and links expired at `now`. */
export async function deleteOldResets(db: Queryable, { since, now }: { since: Date; now: Date }) {
  await db.query('delete from password_reset_requests where requested_at < $1 and try_at is null', [since])
  await db.query('delete from password_resets where expires_at <= $1', [now])
}

/** Replaces a user's link by a new one. */
export async function replaceResetToken(tx: Tx, reset: { tokenHash: Buffer; userId: string; now: Date; expiresAt: Date }) {
  await tx.query('delete from password_resets where user_id = $1', [reset.userId])
  await tx.query('insert into password_resets (token_hash, user_id, created_at, expires_at) values ($1, $2, $3, $4)', [
    reset.tokenHash,
    reset.userId,
    reset.now,
    reset.expiresAt,
  ])
}

/** Whether a link is valid now. Its user is only looked up when it is used. */
export async function isResetToken(db: Queryable, tokenHash: Buffer, now: Date): Promise<boolean> {
  const { rowCount } = await db.query('select from password_resets where token_hash = $1 and expires_at > $2', [tokenHash, now])
  return rowCount === 1
}

/** Uses up a link: of several concurrent calls, one gets the user and the others null. */
export async function takeResetToken(tx: Tx, tokenHash: Buffer, now: Date): Promise<string | null> {
  const { rows } = await tx.query<{ userId: string }>(
    'delete from password_resets where token_hash = $1 and expires_at > $2 returning user_id as "userId"',
    [tokenHash, now],
  )
  return rows[0]?.userId ?? null
}

/** Notes that a mail to the account's address was answered. A change of the address deletes the links that went to the one before. */
export async function markEmailConfirmed(tx: Tx, userId: string, now: Date) {
  await tx.query('update users set email_confirmed_at = $2 where id = $1 and email_confirmed_at is null', [userId, now])
}

export async function updatePassword(tx: Tx, userId: string, passwordHash: string) {
  await tx.query('update users set password_hash = $2 where id = $1', [userId, passwordHash])
  await tx.query('delete from password_resets where user_id = $1', [userId])
}

/** `isKnown`: as `IS_KNOWN` has it. */
type Receiver = { id: string; username: string; email: string; isKnown: boolean }

export async function selectUserByEmail(db: Queryable, email: string): Promise<Receiver | null> {
  const { rows } = await db.query<Receiver>(
    `select id, username, email, ${IS_KNOWN} as "isKnown" from users u where email = $1 and status = 'Active'`,
    [email],
  )
  return rows[0] ?? null
}
