import { USER_LEVELS, USER_STATUSES, type UserLevel, type UserStatus } from '../../../shared/users.ts'
import type { Queryable, Tx } from '../../platform/db.ts'
import type { Page } from '../../platform/http/lists.ts'
import { likePattern } from '../../platform/http/lists.ts'

export type UserRow = {
  id: string
  username: string
  email: string
  phone: string
  level: UserLevel
  status: UserStatus
  createdAt: Date
  balancePesewas: number
  totalPurchasePesewas: number
  balanceVersion: number
}

const USER = `u.id, u.username, u.email, u.phone, u.level, u.status, u.created_at as "createdAt",
  w.balance_pesewas as "balancePesewas", w.total_purchase_pesewas as "totalPurchasePesewas", w.version as "balanceVersion"`

export async function selectUser(db: Queryable, id: string): Promise<UserRow | null> {
  const { rows } = await db.query<UserRow>({
    name: 'select-user',
    text: `select ${USER} from users u join wallets w on w.user_id = u.id where u.id = $1`,
    values: [id],
  })
  return rows[0] ?? null
}

/** A user with their password's hash, for signing in. */
export async function selectUserByPhone(db: Queryable, phone: string): Promise<(UserRow & { passwordHash: string }) | null> {
  const { rows } = await db.query<UserRow & { passwordHash: string }>(
    `select ${USER}, u.password_hash as "passwordHash" from users u join wallets w on w.user_id = u.id where u.phone = $1`,
    [phone],
  )
  return rows[0] ?? null
}

/** What a list of users matches: $1 a LIKE pattern over name, phone and e-mail, $2 a level or status in full; null for any. */
export const matchUsers = `($1::text is null or (u.username || ' ' || u.phone || ' ' || u.email) ilike $1)
  and ($2::text is null or $2 in (u.level, u.status))`

/** A search counts no further than this: "1,000 and more" says as much, and costs the same with a million users. */
const MOST_FOUND = 1_000

export async function selectUsers(db: Queryable, { limit, offset, search }: Page): Promise<{ users: UserRow[]; total: number }> {
  const values = userSearch(search)
  const [page, total] = await Promise.all([
    db.query<UserRow>(
      `with found as materialized (select u.seq from users u where ${matchUsers} ${search === null ? 'order by u.seq desc limit $3 offset $4' : ''})
       select ${USER} from users u join wallets w on w.user_id = u.id
       where u.seq in (select seq from found) order by u.seq desc limit $3 offset ${search === null ? '0 * $4' : '$4'}`,
      [...values, limit, offset],
    ),
    search === null ? countAllUsers(db) : countFoundUsers(db, values),
  ])
  return { users: page.rows, total }
}

/** The values of `matchUsers` for a search: a level or status by its full name, anything else as words. */
export function userSearch(search: string | null): [string | null, string | null] {
  const named = [...USER_LEVELS, ...USER_STATUSES].find((name) => name.toLowerCase() === search?.toLowerCase())
  return named ? [null, named] : [likePattern(search), null]
}

async function countAllUsers(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ total: number }>(`select rows as total from list_counts where list = 'users'`)
  return rows[0]?.total ?? 0
}

async function countFoundUsers(db: Queryable, values: unknown[]): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    `select count(*) as total from (select from users u where ${matchUsers} limit ${MOST_FOUND}) found`,
    values,
  )
  return rows[0]?.total ?? 0
}

export type NewUser = {
  username: string
  usernameSkeleton: string
  email: string
  phone: string
  passwordHash: string
  level: UserLevel
  now: Date
}

export async function insertUser(tx: Tx, user: NewUser): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(
    `insert into users (username, username_skeleton, email, phone, password_hash, level, created_at)
     values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    [user.username, user.usernameSkeleton, user.email, user.phone, user.passwordHash, user.level, user.now],
  )
  return (rows[0] as { id: string }).id
}

/** Locks a user's row until the transaction ends; null for an unknown user. */
export async function lockUser(tx: Tx, id: string): Promise<{ level: UserLevel; status: UserStatus; username: string } | null> {
  const { rows } = await tx.query<{ level: UserLevel; status: UserStatus; username: string }>(
    'select level, status, username from users where id = $1 for update',
    [id],
  )
  return rows[0] ?? null
}

/** Locks every admin's row, so that two admins cannot each demote the other as the last but one. */
export async function lockActiveAdmins(tx: Tx): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(`select id from users where level = 'Admin' and status = 'Active' order by id for update`)
  return rows.map((row) => row.id)
}

export async function updateLevel(tx: Tx, id: string, level: UserLevel) {
  await tx.query('update users set level = $2 where id = $1', [id, level])
}

export async function updateStatus(tx: Tx, id: string, status: UserStatus) {
  await tx.query('update users set status = $2 where id = $1', [id, status])
}

export async function countAdmins(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ total: number }>(`select count(*) as total from users where level = 'Admin'`)
  return rows[0]?.total ?? 0
}
