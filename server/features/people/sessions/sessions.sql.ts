import type { UserLevel } from '../../../../shared/users.ts'
import type { Actor } from '../../../platform/context.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'

export async function insertSession(tx: Queryable, session: { tokenHash: Buffer; userId: string; now: Date; expiresAt: Date }) {
  await tx.query(`insert into sessions (token_hash, user_id, created_at, last_used_at, expires_at) values ($1, $2, $3, $3, $4)`, [
    session.tokenHash,
    session.userId,
    session.now,
    session.expiresAt,
  ])
}

/**
 * The same after a password check: false, and no session, when the password, level or status has changed since. Waits for a
 * change under way.
 */
export async function insertSessionWithPassword(
  db: Queryable,
  session: { tokenHash: Buffer; userId: string; passwordHash: string; level: UserLevel; now: Date; expiresAt: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into sessions (token_hash, user_id, created_at, last_used_at, expires_at)
     select $1, id, $2, $2, $3 from users
     where id = $4 and password_hash = $5 and level = $6 and status = 'Active' for share`,
    [session.tokenHash, session.now, session.expiresAt, session.userId, session.passwordHash, session.level],
  )
  return rowCount === 1
}

/** The user of a live session and when it was last used; null for a banned user. */
export async function selectActor(db: Queryable, tokenHash: Buffer, now: Date): Promise<(Actor & { lastUsedAt: Date }) | null> {
  const { rows } = await db.query<Omit<Actor, 'sessionHash'> & { lastUsedAt: Date }>({
    name: 'select-actor',
    text: `select u.id, u.username, u.email, u.phone, u.level, u.status, u.created_at as "createdAt", s.last_used_at as "lastUsedAt",
        case when u.level = 'Admin' then array(select role from staff_roles r where r.user_id = u.id order by role) else '{}' end as roles
      from sessions s join users u on u.id = s.user_id
      where s.token_hash = $1 and s.expires_at > $2 and u.status = 'Active'`,
    values: [tokenHash, now],
  })
  return rows[0] ? { ...rows[0], sessionHash: tokenHash } : null
}

/** Which of these sessions have ended. */
export async function selectEndedSessions(db: Queryable, tokenHashes: readonly Buffer[], now: Date): Promise<Buffer[]> {
  const { rows } = await db.query<{ hash: Buffer }>(
    `select given.hash from unnest($1::bytea[]) as given (hash) where not exists (
       select from sessions s join users u on u.id = s.user_id
       where s.token_hash = given.hash and s.expires_at > $2 and u.status = 'Active')`,
    [tokenHashes, now],
  )
  return rows.map(({ hash }) => hash)
}

export async function touchSession(db: Queryable, tokenHash: Buffer, now: Date) {
  await db.query('update sessions set last_used_at = $2 where token_hash = $1', [tokenHash, now])
}

export async function deleteSession(db: Queryable, tokenHash: Buffer) {
  await db.query('delete from sessions where token_hash = $1', [tokenHash])
}

/** Part of a session's hash names it on screens: it signs nobody in. */
const SESSION_ID = `encode(substr(token_hash, 1, 12), 'hex')`

export function sessionIdOf(tokenHash: Buffer): string {
  return tokenHash.subarray(0, 12).toString('hex')
}

export type SessionRow = { id: string; device: string | null; createdAt: Date; lastUsedAt: Date }

const MOST_LISTED = 50

/** A user's live sessions, the latest used first. */
export async function selectSessionsOfUser(db: Queryable, userId: string, now: Date): Promise<SessionRow[]> {
  const { rows } = await db.query<SessionRow>(
    `select ${SESSION_ID} as id, device, created_at as "createdAt", last_used_at as "lastUsedAt" from sessions
     where user_id = $1 and expires_at > $2 order by last_used_at desc, token_hash limit ${MOST_LISTED}`,
    [userId, now],
  )
  return rows
}

/** Null when the user has no such session. */
export async function deleteSessionById(tx: Tx, userId: string, id: string): Promise<{ tokenHash: Buffer; device: string | null } | null> {
  const { rows } = await tx.query<{ tokenHash: Buffer; device: string | null }>(
    `delete from sessions where user_id = $1 and ${SESSION_ID} = $2 returning token_hash as "tokenHash", device`,
    [userId, id],
  )
  return rows[0] ?? null
}

export async function deleteSessionsOfUser(tx: Queryable, userId: string) {
  await tx.query('delete from sessions where user_id = $1', [userId])
}

/** Ends a user's sessions but one; returns those that ended. */
export async function deleteOtherSessions(tx: Tx, userId: string, keptHash: Buffer): Promise<Buffer[]> {
  const { rows } = await tx.query<{ hash: Buffer }>(
    'delete from sessions where user_id = $1 and token_hash <> $2 returning token_hash as hash',
    [userId, keptHash],
  )
  return rows.map(({ hash }) => hash)
}

export async function deleteExpiredSessions(db: Queryable, now: Date) {
  await db.query('delete from sessions where expires_at <= $1', [now])
}
