import type { UssdGatewayName } from '../../../../shared/ussd-rules.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'

export type UssdRow = {
  gateway: UssdGatewayName
  secretHash: Buffer | null
  addresses: string[]
  mostCharacters: number
  seenAt: Date | null
  problem: string | null
  problemAt: Date | null
}

const USSD = `gateway, secret_hash as "secretHash", addresses, most_characters as "mostCharacters", seen_at as "seenAt", problem,
  problem_at as "problemAt"`

export async function selectUssd(db: Queryable, lock: '' | 'for update' = ''): Promise<UssdRow> {
  const { rows } = await db.query<UssdRow>(`select ${USSD} from ussd_settings ${lock}`)
  return rows[0] as UssdRow
}

export async function updateUssd(
  tx: Tx,
  { gateway, addresses, mostCharacters }: Pick<UssdRow, 'gateway' | 'addresses' | 'mostCharacters'>,
) {
  await tx.query('update ussd_settings set gateway = $1, addresses = $2, most_characters = $3', [gateway, addresses, mostCharacters])
}

export async function updateSecret(tx: Tx, hash: Buffer) {
  await tx.query('update ussd_settings set secret_hash = $1, problem = null, problem_at = null', [hash])
}

/** At most once a minute, so that sessions do not wait for one another. */
export async function updateSeen(db: Queryable, now: Date) {
  await db.query(
    `update ussd_settings set seen_at = $1, problem = null, problem_at = null where seen_at is null or seen_at < $1::timestamptz - interval '1 minute'
       or problem is not null`,
    [now],
  )
}

export async function updateProblem(db: Queryable, problem: string, now: Date) {
  await db.query('update ussd_settings set problem = $1, problem_at = $2 where problem is distinct from $1', [problem, now])
}

/** Whose phone it is, and whether their PIN was given from it since their login was last changed. */
export async function selectOwnerOfPhone(db: Queryable, phone: string): Promise<{ userId: string; isConfirmed: boolean } | null> {
  const { rows } = await db.query<{ userId: string; isConfirmed: boolean }>(
    `select u.id as "userId", coalesce(p.phone = u.phone and (u.login_changed_at is null or p.confirmed_at > u.login_changed_at), false) as "isConfirmed"
     from users u left join ussd_phones p on p.user_id = u.id where u.phone = $1`,
    [phone],
  )
  return rows[0] ?? null
}

/** False when the phone is no longer theirs, or they are banned. */
export async function lockOwnerOfPhone(tx: Tx, { userId, phone }: { userId: string; phone: string }): Promise<boolean> {
  const { rowCount } = await tx.query(`select from users where id = $1 and phone = $2 and status = 'Active' for share`, [userId, phone])
  return rowCount === 1
}

export async function insertPhone(tx: Tx, { userId, phone }: { userId: string; phone: string }, now: Date) {
  await tx.query(
    `insert into ussd_phones (user_id, phone, confirmed_at) values ($1, $2, $3)
     on conflict (user_id) do update set phone = $2, confirmed_at = $3`,
    [userId, phone, now],
  )
}
