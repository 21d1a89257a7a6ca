import type { ApiScope } from '../../../../shared/api-keys.ts'
import type { Actor } from '../../../platform/context.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'

export type KeyRow = {
  id: string
  name: string
  ending: string
  scopes: ApiScope[]
  addresses: string[]
  isTest: boolean
  replacedBy: string | null
  /** Made before its owner's wallet asked for a PIN, or without it: it buys nothing until it is replaced. */
  lacksPin: boolean
  createdAt: Date
  usedAt: Date | null
  expiresAt: Date | null
  endedAt: Date | null
}

const LACKS_PIN = `(not pin_proven and not is_test and 'orders:write' = any (scopes)
  and exists (select from transaction_pins t where t.user_id = api_keys.user_id and t.at_checkout))`
const KEY = `id, name, ending, scopes, addresses, is_test as "isTest", replaced_by as "replacedBy", ${LACKS_PIN} as "lacksPin", used_at as "usedAt", created_at as "createdAt", expires_at as "expiresAt", ended_at as "endedAt"`

/** A user's keys, the newest first, but those that work before all others: they must be seen to be ended. */
export async function selectKeysOfUser(db: Queryable, userId: string, now: Date): Promise<KeyRow[]> {
  const { rows } = await db.query<KeyRow>(
    `select ${KEY} from api_keys where user_id = $1
     order by (ended_at is null and (expires_at is null or expires_at > $2)) desc, created_at desc, id limit 50`,
    [userId, now],
  )
  return rows
}

export type NewKey = Pick<KeyRow, 'name' | 'ending' | 'scopes' | 'addresses' | 'isTest' | 'expiresAt'> & {
  userId: string
  hash: Buffer
  /** Whether the owner has proven their PIN, where they are asked for one. */
  pinProven: boolean
  now: Date
}

export async function insertKey(tx: Tx, key: NewKey): Promise<KeyRow> {
  const { rows } = await tx.query<KeyRow>(
    `insert into api_keys (user_id, hash, name, ending, scopes, addresses, is_test, created_at, expires_at, pin_proven)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${KEY}`,
    [key.userId, key.hash, key.name, key.ending, key.scopes, key.addresses, key.isTest, key.now, key.expiresAt, key.pinProven],
  )
  return rows[0] as KeyRow
}

/** How many keys work, of those that were replaced or of the others. Keys made at the same moment wait for one another, so that the count holds. */
export async function countWorkingKeys(tx: Tx, userId: string, { now, replaced }: { now: Date; replaced: boolean }): Promise<number> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('api-keys:' || $1, 0))", [userId])
  const { rows } = await tx.query<{ count: number }>(
    `select count(*) as count from api_keys where user_id = $1 and ended_at is null and (replaced_by is not null) = $3
       and (expires_at is null or expires_at > $2)`,
    [userId, now, replaced],
  )
  return rows[0]?.count ?? 0
}

/** Ends a key of the user, or leaves one that has ended as it is; null when the user has no such key. */
export async function updateKeyEnded(tx: Tx, { id, userId, now }: { id: string; userId: string; now: Date }): Promise<KeyRow | null> {
  const { rows } = await tx.query<KeyRow>(
    `update api_keys set ended_at = coalesce(ended_at, $3) where id = $1 and user_id = $2 returning ${KEY}`,
    [id, userId, now],
  )
  return rows[0] ?? null
}

/** One of the user's keys, locked; null when they have none with this id. */
export async function lockKey(tx: Tx, { id, userId }: { id: string; userId: string }): Promise<KeyRow | null> {
  const { rows } = await tx.query<KeyRow>(`select ${KEY} from api_keys where id = $1 and user_id = $2 for update`, [id, userId])
  return rows[0] ?? null
}

/** The key works no longer than until the given time, and not longer than it would have; not at all once `endedAt` is given. */
export async function updateKeyReplaced(
  tx: Tx,
  { id, by, until, endedAt }: { id: string; by: string; until: Date; endedAt: Date | null },
): Promise<void> {
  await tx.query('update api_keys set replaced_by = $2, expires_at = least(expires_at, $3), ended_at = $4 where id = $1', [
    id,
    by,
    until,
    endedAt,
  ])
}

export type KeyOwner = Pick<KeyRow, 'scopes' | 'addresses' | 'isTest' | 'usedAt' | 'lacksPin'> & { keyId: string; actor: Actor }

/** A working key and its owner, who is an active agent or admin; null otherwise. An admin's roles do not come with a key. */
export async function selectKeyOwner(db: Queryable, hash: Buffer, now: Date): Promise<KeyOwner | null> {
  const { rows } = await db.query<Omit<Actor, 'roles' | 'sessionHash'> & Omit<KeyOwner, 'actor'>>({
    name: 'select-key-owner',
    text: `select k.id as "keyId", k.scopes, k.addresses, k.is_test as "isTest", k.used_at as "usedAt",
        ${LACKS_PIN.replaceAll('api_keys.', 'k.')} as "lacksPin", u.id, u.username, u.email, u.phone, u.level, u.status, u.created_at as "createdAt"
      from api_keys k join users u on u.id = k.user_id
      where k.hash = $1 and k.ended_at is null and (k.expires_at is null or k.expires_at > $2)
        and u.status = 'Active' and u.level <> 'Customer'`,
    values: [hash, now],
  })
  if (!rows[0]) return null
  const { keyId, scopes, addresses, isTest, usedAt, lacksPin, ...owner } = rows[0]
  return { keyId, scopes, addresses, isTest, usedAt, lacksPin, actor: { ...owner, roles: [], sessionHash: hash } }
}

/** Notes that a key was used, unless another request is just noting it. */
export async function updateKeyUsed(db: Queryable, id: string, now: Date): Promise<void> {
  await db.query('update api_keys set used_at = $2 where id = (select id from api_keys where id = $1 for no key update skip locked)', [
    id,
    now,
  ])
}
