import type { UserLevel, UserStatus } from '../../../shared/users.ts'
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

/** What a list of users matches: $1 a LIKE pattern over all fields, or null for any. */
export const matchUsers = `($1::text is null or u.username ilike $1 or u.phone like $1 or u.email ilike $1 or u.level ilike $1 or u.status ilike $1)`

export async function selectUsers(db: Queryable, { limit, offset, search }: Page): Promise<{ users: UserRow[]; total: number }> {
  const pattern = likePattern(search)
  const [page, count] = await Promise.all([
    db.query<UserRow>(
      `select ${USER} from users u join wallets w on w.user_id = u.id where ${matchUsers} order by u.seq desc limit $2 offset $3`,
      [pattern, limit, offset],
    ),
    db.query<{ total: number }>(`select count(*) as total from users u where ${matchUsers}`, [pattern]),
  ])
  return { users: page.rows, total: count.rows[0]?.total ?? 0 }
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
