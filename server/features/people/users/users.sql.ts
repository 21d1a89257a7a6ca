import { phoneTexts, type TypedAmount, typedAmount } from '../../../../shared/search.ts'
import type { StaffRole } from '../../../../shared/staff-rules.ts'
import { USER_LEVELS, USER_STATUSES, type UserLevel, type UserStatus } from '../../../../shared/users.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'
import { likePattern, likePatterns, type Page } from '../../../platform/http/lists.ts'

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
  /** Whether a customer has a shop, or is a sub-agent or was one. */
  sells?: boolean
}

const USER = `u.id, u.username, u.email, u.phone, u.level, u.status, u.created_at as "createdAt",
  w.balance_pesewas as "balancePesewas", w.total_purchase_pesewas as "totalPurchasePesewas", w.version as "balanceVersion"`
/** Only where one user is read: a list has no use for it. */
const SELLS = `u.level = 'Customer' and (exists (select from sub_agents s where s.user_id = u.id)
  or exists (select from agent_shops a where a.owner_id = u.id)) as sells`

export async function selectUser(db: Queryable, id: string): Promise<UserRow | null> {
  const { rows } = await db.query<UserRow>({
    name: 'select-user',
    text: `select ${USER}, ${SELLS} from users u join wallets w on w.user_id = u.id where u.id = $1`,
    values: [id],
  })
  return rows[0] ?? null
}

/** A user with their password hash, for signing in, and whether they sign in with a code as well. */
export async function selectUserByPhone(
  db: Queryable,
  phone: string,
): Promise<(UserRow & { passwordHash: string; hasCode: boolean }) | null> {
  const { rows } = await db.query<UserRow & { passwordHash: string; hasCode: boolean }>(
    `select ${USER}, ${SELLS}, u.password_hash as "passwordHash",
       exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null) as "hasCode" from users u join wallets w on w.user_id = u.id where u.phone = $1`,
    [phone],
  )
  return rows[0] ?? null
}

/** Must match the index users_words. */
export const USER_WORDS = `(u.username || ' ' || u.phone || ' ' || u.email)`

/** `more`: counting stopped before the end, and there are more than `total`. */
export type FoundUsers = { users: UserRow[]; total: number; more?: boolean }

/** Counting stops here, so that the cost stays bounded. */
const MOST_FOUND = 1_000

/** Without `withAmounts`, a search does not compare balances, so that finding somebody tells nothing about their wallet. */
export type UserSearch = { search: string | null; phoneOnly?: boolean | undefined; withAmounts?: boolean | undefined }

/**
 * The condition on `users u join wallets w` for a user search, and its values from $1 on. A whole phone number, or
 * `phoneOnly`, matches phone numbers only: anyone may put another's number into their name.
 */
export function matchUsers({ search, phoneOnly = false, withAmounts = true }: UserSearch): { matches: string; values: unknown[] } {
  if (search === null) return { matches: 'true', values: [] }
  const numbers = phoneTexts(search)
  if (phoneOnly || numbers.some((number) => WHOLE_NUMBER.test(number))) {
    // The first condition uses the index on words.
    return { matches: `${USER_WORDS} ilike any ($1) and u.phone like any ($1)`, values: [numbers.map(likePattern)] }
  }
  const values: unknown[] = [likePatterns(search)]
  const ways = [`${USER_WORDS} ilike any ($1)`]
  const named = [...USER_LEVELS, ...USER_STATUSES].filter((name) => name.toLowerCase().includes(search.toLowerCase()))
  if (named.length > 0) ways.push(`u.level = any ($${values.push(named)}) or u.status = any ($${values.length})`)
  const amount = withAmounts ? typedAmount(search) : null
  if (amount) {
    const { divisor, modulus, value } = digitsOf(amount)
    const [div, mod, val] = [values.push(divisor), values.push(modulus), values.push(value)].map((number) => `$${number}::bigint`)
    const holds = (pesewas: string) => `${pesewas} / ${div} % ${mod} = ${val}`
    ways.push(`u.id in (select p.user_id from wallets p where ${holds('p.balance_pesewas')} or ${holds('p.total_purchase_pesewas')})`)
  }
  return { matches: `(${ways.join(' or ')})`, values }
}

const WHOLE_NUMBER = /^0\d{9}$/

/** The typed digits of an amount in pesewas: those before the last `divisor`, up to `modulus`. */
function digitsOf({ whole, decimals, fromStart }: TypedAmount): { divisor: number; modulus: number; value: number } {
  const digits = whole + (decimals ?? '')
  return { divisor: 10 ** (2 - (decimals?.length ?? 0)), modulus: 10 ** (fromStart ? 17 : digits.length), value: Number(digits) }
}

export async function selectUsers(
  db: Queryable,
  { limit, offset, search, phoneOnly, withAmounts }: Page & UserSearch,
): Promise<FoundUsers> {
  const { matches, values } = matchUsers({ search, phoneOnly, withAmounts })
  if (search === null) {
    const [users, total] = await Promise.all([selectPage(db, limit, offset), countAllUsers(db)])
    return { users, total }
  }
  const wanted = offset + limit
  // Amounts are compared in all wallets anyway.
  if (typedAmount(search) === null && wanted <= MOST_WANTED) {
    const counted = wanted + COUNTED_AHEAD
    const newest = await findAmongNewest((among) => selectAmongNewest(db, matches, values, { among, wanted: counted + 1 }), counted + 1)
    if (newest) return { users: newest.slice(offset, wanted), total: counted, more: true }
  }
  const { rows } = await db.query<UserRow & { found: number }>(
    `with found as materialized (select u.seq from users u where ${matches})
     select ${USER}, (select count(*) from (select from found limit ${MOST_FOUND + 1}) counted) as found from users u join wallets w on w.user_id = u.id
     where u.seq in (select seq from found order by seq desc limit $${values.length + 1} offset $${values.length + 2}) order by u.seq desc`,
    [...values, limit, offset],
  )
  const [first] = rows
  // A page past the end has no row that says how many there are.
  const found = first?.found ?? (offset === 0 ? 0 : await countFoundUsers(db, matches, values))
  return { users: rows.map(({ found: _, ...user }) => user), total: Math.min(found, MOST_FOUND), more: found > MOST_FOUND }
}

/** A page further down is not looked for among the newest. */
const MOST_WANTED = 100
/** So many after a page of them are counted too, so that there are pages to go on to. */
const COUNTED_AHEAD = 10
const NEWEST_LOOKED_AT = 300
const MOST_LOOKED_AT = 10_000

/**
 * The first rows of a search for a common word, whose users lie anywhere: looking at so many of the newest as should have them is far
 * quicker than comparing all that the index on words has. Null when the newest few have none of them, or too few.
 */
export async function findAmongNewest<Row>(read: (among: number) => Promise<Row[]>, wanted: number): Promise<Row[] | null> {
  const few = await read(NEWEST_LOOKED_AT)
  if (few.length >= wanted) return few
  const among = Math.ceil((1.5 * NEWEST_LOOKED_AT * wanted) / few.length)
  if (among > MOST_LOOKED_AT) return null
  const more = await read(among)
  return more.length >= wanted ? more : null
}

async function selectAmongNewest(
  db: Queryable,
  matches: string,
  values: unknown[],
  { among, wanted }: { among: number; wanted: number },
): Promise<UserRow[]> {
  const { rows } = await db.query<UserRow>(
    `select ${USER} from (select * from users order by seq desc limit $${values.length + 1}) u join wallets w on w.user_id = u.id
     where ${matches} order by u.seq desc limit $${values.length + 2}`,
    [...values, among, wanted],
  )
  return rows
}

/** Further down, the blocks above a page are skipped as a whole. */
const NEAR = 1_000

async function selectPage(db: Queryable, limit: number, offset: number): Promise<UserRow[]> {
  const start = offset < NEAR ? { below: null, skip: offset } : await findStart(db, offset)
  const { rows } = await db.query<UserRow>({
    name: 'user-page',
    text: `select ${USER} from users u join wallets w on w.user_id = u.id
      where u.seq in (select seq from users where $1::bigint is null or seq < $1 order by seq desc limit $2 offset $3) order by u.seq desc`,
    values: [start.below, limit, start.skip],
  })
  return rows
}

/** The block in which the page begins, as the number below which it has its users, and how many of these to skip. */
async function findStart(db: Queryable, offset: number): Promise<{ below: number | null; skip: number }> {
  const { rows } = await db.query<{ below: number; skip: number }>({
    name: 'user-page-start',
    text: `with counted as (select coalesce(max(block) + 1, 0) * 1000::bigint as below from user_blocks),
      newest as (select count(*) as users from users where seq >= (select below from counted)),
      above as (
        select (block + 1) * 1000::bigint as below, users,
          (select users from newest) + sum(users) over (order by block desc) - users as above from user_blocks
      )
      select below, ($1 - above)::integer as skip from above where above <= $1 order by below limit 1`,
    values: [offset],
  })
  return rows[0] ?? { below: null, skip: offset }
}

async function countAllUsers(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ total: number }>(`select rows as total from list_counts where list = 'users'`)
  return rows[0]?.total ?? 0
}

async function countFoundUsers(db: Queryable, matches: string, values: unknown[]): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    `select count(*) as total from (select from users u where ${matches} limit ${MOST_FOUND + 1}) found`,
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

/**
 * Locks a user's row until the transaction ends; null for an unknown user. Conflicts with `lockActor`, but not with a new
 * order, whose foreign key only takes a key share lock.
 */
export async function lockUser(tx: Tx, id: string): Promise<{ level: UserLevel; status: UserStatus; username: string } | null> {
  const { rows } = await tx.query<{ level: UserLevel; status: UserStatus; username: string }>(
    'select level, status, username from users where id = $1 for no key update',
    [id],
  )
  return rows[0] ?? null
}

/** Locks all admins' rows, so that two of them cannot demote or ban each other concurrently. */
export async function lockActiveAdmins(tx: Tx) {
  await tx.query(`select from users where level = 'Admin' and status = 'Active' order by id for update`)
}

/** For a decision about the last one, call it after `lockActiveAdmins`: that statement's own snapshot is from before it had to wait. */
export async function selectActiveOwners(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select u.id from users u join staff_roles r on r.user_id = u.id and r.role = 'owner' where u.level = 'Admin' and u.status = 'Active'`,
  )
  return rows.map(({ id }) => id)
}

export async function replaceRoles(tx: Tx, userId: string, roles: readonly StaffRole[]) {
  await tx.query('delete from staff_roles where user_id = $1 and not role = any ($2)', [userId, roles])
  await tx.query('insert into staff_roles (user_id, role) select $1, unnest($2::text[]) on conflict do nothing', [userId, roles])
}

export async function selectRoles(db: Queryable, userId: string): Promise<StaffRole[]> {
  const { rows } = await db.query<{ role: StaffRole }>('select role from staff_roles where user_id = $1 order by role', [userId])
  return rows.map(({ role }) => role)
}

export async function updateLevel(tx: Tx, id: string, level: UserLevel) {
  await tx.query('update users set level = $2 where id = $1', [id, level])
}

export async function updateStatus(tx: Tx, id: string, status: UserStatus) {
  await tx.query('update users set status = $2 where id = $1', [id, status])
}

export async function selectAdminNames(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ username: string }>(`select username from users where level = 'Admin'`)
  return rows.map(({ username }) => username)
}

export async function countAdmins(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ total: number }>(`select count(*) as total from users where level = 'Admin'`)
  return rows[0]?.total ?? 0
}

/** Whom a locked-out shop's operator may mean. */
export async function selectOwnersByName(db: Queryable): Promise<{ username: string; phone: string }[]> {
  const { rows } = await db.query<{ username: string; phone: string }>(
    `select u.username, u.phone from users u join staff_roles r on r.user_id = u.id and r.role = 'owner' where u.level = 'Admin' order by u.created_at limit 5`,
  )
  return rows
}
