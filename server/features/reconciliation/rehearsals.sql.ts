import type { Queryable } from '../../platform/db.ts'

export type Rehearsal = { restoredTo: Date; source: 'file' | 'archive'; orders: number; entries: number }

/** Notes that a backup came back and that its books were right. */
export async function insertRehearsal(db: Queryable, { restoredTo, source, orders, entries }: Rehearsal) {
  await db.query('insert into restore_rehearsals (restored_to, source, orders, entries) values ($1, $2, $3, $4)', [
    restoredTo,
    source,
    orders,
    entries,
  ])
}

/** When a restore was rehearsed last, or the shop began: what `now` is compared with. */
export async function selectLastRehearsal(db: Queryable): Promise<{ at: Date; isFirst: boolean }> {
  const { rows } = await db.query<{ at: Date; isFirst: boolean }>({
    name: 'last-rehearsal',
    text: `select coalesce(last, began) as at, last is null as "isFirst" from
      (select (select max(rehearsed_at) from restore_rehearsals) as last, (select min(run_on) at time zone 'UTC' from schema_migrations) as began) both_of`,
  })
  return rows[0] as { at: Date; isFirst: boolean }
}
