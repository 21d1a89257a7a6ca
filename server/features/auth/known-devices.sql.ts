import type { Queryable } from '../../platform/db.ts'

const MOST_FOR_ONE_USER = 20

/** Whether the user with this phone has signed in there before. */
export async function isKnownDevice(db: Queryable, deviceHash: Buffer, phone: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'select from known_devices d join users u on u.id = d.user_id where d.device_hash = $1 and u.phone = $2',
    [deviceHash, phone],
  )
  return rowCount === 1
}

export async function isDeviceOfAnybody(db: Queryable, deviceHash: Buffer): Promise<boolean> {
  const { rowCount } = await db.query('select from known_devices where device_hash = $1 limit 1', [deviceHash])
  return rowCount === 1
}

export async function keepDevice(db: Queryable, { deviceHash, userId, now }: { deviceHash: Buffer; userId: string; now: Date }) {
  await db.query(
    `insert into known_devices (device_hash, user_id, last_used_at) values ($1, $2, $3)
     on conflict (device_hash, user_id) do update set last_used_at = excluded.last_used_at`,
    [deviceHash, userId, now],
  )
}

/** Forgets those that were not used since, and of each user all but the latest few. */
export async function forgetDevices(db: Queryable, { unusedSince }: { unusedSince: Date }) {
  await db.query(
    `delete from known_devices where last_used_at < $1 or (device_hash, user_id) in (
       select device_hash, user_id from
         (select device_hash, user_id, row_number() over (partition by user_id order by last_used_at desc) as place from known_devices) as ranked
       where place > $2)`,
    [unusedSince, MOST_FOR_ONE_USER],
  )
}
