import { type Db, type Tx, transaction } from './db.ts'
import { hashWithKey, isSealedBefore, openSecret, SecretClosed, type SecretsKey, sealSecret } from './seal-secret.ts'

/** All columns that `sealSecret` fills. `card`: where the hash of the card in the details is kept with the same key. */
export const SEALED_COLUMNS = [
  { table: 'second_factors', id: 'user_id', column: 'secret' },
  { table: 'transaction_pins', id: 'user_id', column: 'pin' },
  { table: 'forwarders', id: 'id', column: 'key' },
  { table: 'forwarders', id: 'id', column: 'old_key' },
  { table: 'webhook_endpoints', id: 'id', column: 'secret' },
  { table: 'webhook_endpoints', id: 'id', column: 'old_secret' },
  { table: 'afa_forms', id: 'id', column: 'details', card: 'card_hash' },
  { table: 'afa_registrations', id: 'order_id', column: 'details', card: 'card_hash' },
] as const
type Place = (typeof SEALED_COLUMNS)[number]

const AT_ONCE = 500

/**
 * Encrypts under today's key what is still under the one before, so that the old one can go. `closed`: how many values neither key
 * opens. A value that changes meanwhile keeps what it was changed to. Without a key before, only some are looked at.
 */
export async function sealSecretsAnew(db: Db, key: SecretsKey | null): Promise<{ changed: number; closed: number }> {
  const total = { changed: 0, closed: 0 }
  if (key === null) return total
  for (const place of SEALED_COLUMNS) {
    for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
      const rows = await selectSealed(db, place, after)
      const last = rows.at(-1)
      if (!last) break
      after = last.id
      const old = rows.filter(({ sealed }) => isSealedBefore(sealed, key))
      if (old.length > 0) {
        const done = await transaction(db, (tx) => sealAnew(tx, place, old, key))
        total.changed += done.changed
        total.closed += done.closed
      }
      if (typeof key === 'string') break
    }
  }
  return total
}

async function selectSealed(db: Db, { table, id, column }: Place, after: string) {
  const { rows } = await db.query<{ id: string; sealed: Buffer }>(
    `select ${id} as id, ${column} as sealed from ${table} where ${id} > $1 and ${column} is not null order by ${id} limit ${AT_ONCE}`,
    [after],
  )
  return rows
}

async function sealAnew(tx: Tx, place: Place, old: readonly { id: string; sealed: Buffer }[], key: SecretsKey) {
  const done = { changed: 0, closed: 0 }
  for (const { id, sealed } of old) {
    const text = openIfPossible(sealed, key)
    if (text === null) {
      done.closed++
      continue
    }
    const card = 'card' in place ? place.card : null
    const hash = card && hashWithKey(`ghana card ${(JSON.parse(text) as { ghanaCard: string }).ghanaCard}`, key)
    await tx.query(
      `update ${place.table} set ${place.column} = $3${card ? `, ${card} = $4` : ''} where ${place.id} = $1 and ${place.column} = $2`,
      [id, sealed, sealSecret(text, key), ...(card ? [hash] : [])],
    )
    done.changed++
  }
  return done
}

function openIfPossible(sealed: Buffer, key: SecretsKey): string | null {
  try {
    return openSecret(sealed, key)
  } catch (error) {
    if (error instanceof SecretClosed) return null
    throw error
  }
}
