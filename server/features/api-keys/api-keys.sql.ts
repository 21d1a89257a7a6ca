import type { ApiScope } from '../../../shared/api-keys.ts'
import type { Actor } from '../../platform/context.ts'
import type { Queryable, Tx } from '../../platform/db.ts'

export type KeyRow = {
  id: string
  name: string
  ending: string
  scopes: ApiScope[]
  addresses: string[]
  createdAt: Date
  expiresAt: Date | null
  endedAt: Date | null
}

const KEY = `id, name, ending, scopes, addresses, created_at as "createdAt", expires_at as "expiresAt", ended_at as "endedAt"`

export async function selectKeysOfUser(db: Queryable, userId: string): Promise<KeyRow[]> {
  const { rows } = await db.query<KeyRow>(`select ${KEY} from api_keys where user_id = $1 order by created_at desc, id limit 50`, [userId])
  return rows
}

export type NewKey = Pick<KeyRow, 'name' | 'ending' | 'scopes' | 'addresses' | 'expiresAt'> & { userId: string; hash: Buffer; now: Date }

export async function insertKey(tx: Tx, key: NewKey): Promise<KeyRow> {
  const { rows } = await tx.query<KeyRow>(
    `insert into api_keys (user_id, hash, name, ending, scopes, addresses, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${KEY}`,
    [key.userId, key.hash, key.name, key.ending, key.scopes, key.addresses, key.now, key.expiresAt],
  )
  return rows[0] as KeyRow
}

/** Keys made at the same moment wait for one another, so that their count holds. */
export async function countWorkingKeys(tx: Tx, userId: string, now: Date): Promise<number> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('api-keys:' || $1, 0))", [userId])
  const { rows } = await tx.query<{ count: number }>(
    'select count(*) as count from api_keys where user_id = $1 and ended_at is null and (expires_at is null or expires_at > $2)',
    [userId, now],
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

/** A working key and its owner, who is an active agent or admin; null otherwise. An admin's roles do not come with a key. */
export async function selectKeyOwner(
  db: Queryable,
  hash: Buffer,
  now: Date,
): Promise<{ keyId: string; scopes: ApiScope[]; addresses: string[]; actor: Actor } | null> {
  const { rows } = await db.query<Omit<Actor, 'roles' | 'sessionHash'> & { keyId: string; scopes: ApiScope[]; addresses: string[] }>({
    name: 'select-key-owner',
    text: `select k.id as "keyId", k.scopes, k.addresses, u.id, u.username, u.email, u.phone, u.level, u.status, u.created_at as "createdAt"
      from api_keys k join users u on u.id = k.user_id
      where k.hash = $1 and k.ended_at is null and (k.expires_at is null or k.expires_at > $2)
        and u.status = 'Active' and u.level <> 'Customer'`,
    values: [hash, now],
  })
  if (!rows[0]) return null
  const { keyId, scopes, addresses, ...owner } = rows[0]
  return { keyId, scopes, addresses, actor: { ...owner, roles: [], sessionHash: hash } }
}
