import type { Queryable } from '../../../platform/db.ts'
import { IS_KNOWN } from '../users/known-users.sql.ts'

/** Browsers and addresses together. */
const MOST_FOR_ONE_USER = 40

/** Which of these browser or address hashes the user with this phone number has signed in from; `isKnownUser`: as `IS_KNOWN` has it. */
export async function selectKnown(
  db: Queryable,
  hashes: readonly Buffer[],
  phone: string,
): Promise<{ hash: Buffer; isKnownUser: boolean }[]> {
  const { rows } = await db.query<{ hash: Buffer; isKnownUser: boolean }>(
    `select d.device_hash as hash, ${IS_KNOWN} as "isKnownUser" from known_devices d join users u on u.id = d.user_id
     where d.device_hash = any($1) and u.phone = $2`,
    [hashes, phone],
  )
  return rows
}

export async function isDeviceOfAnybody(db: Queryable, deviceHash: Buffer): Promise<boolean> {
  const { rowCount } = await db.query('select from known_devices where device_hash = $1 limit 1', [deviceHash])
  return rowCount === 1
}

/**
 * Remembers a browser and an address until their session ends; without a session, until they expire. The session notes the device
 * in words.
 */
export async function keepDevices(
  db: Queryable,
  {
    hashes,
    userId,
    sessionHash,
    device,
    now,
  }: { hashes: readonly Buffer[]; userId: string; sessionHash: Buffer | null; device: string | null; now: Date },
) {
  await db.query(
    `with session as (update sessions set device = $5 where token_hash = $4::bytea returning 1)
     insert into known_devices (device_hash, user_id, last_used_at) select hash, $2, $3 from unnest($1::bytea[]) as given (hash)
     where $4::bytea is null or exists (select from session)
     on conflict (device_hash, user_id) do update set last_used_at = excluded.last_used_at`,
    [hashes, userId, now, sessionHash, device],
  )
}

/**
 * Forgets a user's devices after a password change: someone with the old password may have added some. Call it after ending
 * the sessions.
 */
export async function forgetDevicesOfUser(tx: Queryable, userId: string) {
  await tx.query('delete from known_devices where user_id = $1', [userId])
}

/** Deletes devices not used since then, and all but the latest few of each user. */
export async function forgetDevices(db: Queryable, { unusedSince }: { unusedSince: Date }) {
  await db.query(
    `delete from known_devices where last_used_at < $1 or (device_hash, user_id) in (
       select device_hash, user_id from
         (select device_hash, user_id, row_number() over (partition by user_id order by last_used_at desc) as place from known_devices) as ranked
       where place > $2)`,
    [unusedSince, MOST_FOR_ONE_USER],
  )
}
