import type { Queryable } from '../server/platform/db.ts'

/** What `tryChange` replies when the database takes the change. */
export const TAKEN = 'DW000'

/**
 * Inserts a copy of a row, changed by `before`, updates it by `change` (SQL), and replies with the code of the database's refusal, or
 * TAKEN. Both are undone, since all statements of one query are one transaction and the last one fails.
 */
export async function tryChange(
  db: Queryable,
  table: string,
  { like, before, change }: { like: string; before: Record<string, unknown>; change: string },
): Promise<string> {
  const copy = crypto.randomUUID()
  const record = JSON.stringify({ seq: -1, ...before, id: copy })
  try {
    await db.query(`
      insert into ${table} overriding system value select (jsonb_populate_record(r, '${record}')).* from ${table} r where id = '${like}';
      update ${table} set ${change} where id = '${copy}';
      do $$ begin raise exception 'undone' using errcode = '${TAKEN}'; end $$`)
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
  throw new Error('the change was not undone')
}
