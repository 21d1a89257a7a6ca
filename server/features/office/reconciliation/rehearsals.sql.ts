import type { Queryable } from '../../../platform/db.ts'

export type Rehearsal = { restoredTo: Date; source: 'file' | 'archive'; orders: number; entries: number; tookMs: number }

/** Notes that a backup came back and that its books were right. */
export async function insertRehearsal(db: Queryable, { restoredTo, source, orders, entries, tookMs }: Rehearsal) {
  await db.query('insert into restore_rehearsals (restored_to, source, orders, entries, took_ms) values ($1, $2, $3, $4, $5)', [
    restoredTo,
    source,
    orders,
    entries,
    Math.round(tookMs),
  ])
}

/** What came back last, and when; `tookMs` is null for one that was noted without it. */
export async function findLastRehearsal(db: Queryable): Promise<(Omit<Rehearsal, 'tookMs'> & { at: Date; tookMs: number | null }) | null> {
  const { rows } = await db.query<Omit<Rehearsal, 'tookMs'> & { at: Date; tookMs: number | null }>({
    name: 'found-rehearsal',
    text: `select rehearsed_at as at, restored_to as "restoredTo", source, orders, entries, took_ms as "tookMs"
      from restore_rehearsals order by id desc limit 1`,
  })
  return rows[0] ?? null
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
