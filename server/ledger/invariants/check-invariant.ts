import type { Db, Queryable } from '../../platform/db.ts'
import type { Invariant, Kind, Rule } from './invariant.ts'

/** `rule` is the broken rule's name; amounts in the detail are pesewas. */
export type Violation = { rule: string; subject: string; detail: string }

/** The newest row of each kind that a check has covered. */
export type Reached = Record<Kind, number>

/**
 * The newest rows now. Rows with lower numbers may still appear until every transaction before `horizon` has ended: one may
 * take its number early and commit late.
 */
export type Reading = Reached & { horizon: string }

export type Checked = { rows: number; found: Violation[] }

/** Memory of a sort or hash in a check of all rows. */
export const SORT_IN = '64MB'

/**
 * Checks all rows of an invariant, or only those after `since` where its rules allow it, in one snapshot and without locks
 * that a sale would wait for.
 * @throws when it takes longer than `timeoutMs`, and soon after `signal` was aborted.
 */
export async function checkInvariant(
  db: Db,
  invariant: Invariant,
  { since, timeoutMs, signal }: { since: Reached | null; timeoutMs: number; signal?: AbortSignal | undefined },
): Promise<Checked> {
  const until = Date.now() + timeoutMs
  const client = await db.connect()
  let broken: Error | undefined
  let cancel = () => {}
  try {
    await client.query('begin isolation level repeatable read read only')
    const { rows: own } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    // The check only reads, so a shop that closes need not wait for it.
    cancel = () => void db.query('select pg_cancel_backend($1)', [own[0]?.pid]).catch(() => undefined)
    signal?.addEventListener('abort', cancel)
    await client.query(`set local work_mem = '${SORT_IN}'`)
    const found: Violation[] = []
    for (const rule of invariant.rules.filter(({ newer }) => since === null || newer)) {
      signal?.throwIfAborted()
      const leftMs = Math.max(1, Math.ceil(until - Date.now()))
      await client.query(
        `set local statement_timeout = ${leftMs}; set local enable_nestloop = ${since === null && rule.joinsAll ? 'off' : 'on'}`,
      )
      found.push(...(await readViolations(client, rule, since)))
    }
    const rows = await countRows(client, invariant, since)
    await client.query('rollback')
    return { rows, found }
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    signal?.removeEventListener('abort', cancel)
    client.release(broken)
  }
}

/** Violations of a rule among all rows, or among those after `since`. */
export async function readViolations(db: Queryable, { says, sql, newer }: Rule, since: Reached | null = null): Promise<Violation[]> {
  const text = since && newer && newer.sql !== 'same' ? newer.sql : sql
  const from = since && newer ? since[newer.of] : 0
  const { rows } = await db.query<{ subject: string; detail: string }>(text, text.includes('$1') ? [from] : [])
  return rows.map((row) => ({ rule: says, ...row }))
}

/** True when at least one rule can check only newer rows. */
export function knowsNewer({ rules }: Invariant): boolean {
  return rules.some(({ newer }) => newer !== undefined)
}

/** The newest rows now. */
export async function readNewest(db: Queryable): Promise<Reading> {
  const { rows } = await db.query<Reading>(
    `select coalesce((select max(id) from journal_entries), 0) as entries, coalesce((select max(seq) from orders), 0) as orders,
      coalesce((select max(id) from admin_actions), 0) as actions, pg_snapshot_xmax(pg_current_snapshot())::text as horizon`,
  )
  return rows[0] as Reading
}

/** True when no more rows can appear below this reading. */
export async function isSettled(db: Queryable, { horizon }: Reading): Promise<boolean> {
  const { rows } = await db.query<{ settled: boolean }>('select all_ended_before($1::xid8) as settled', [horizon])
  return rows[0]?.settled === true
}

async function countRows(db: Queryable, { counts }: Invariant, since: Reached | null): Promise<number> {
  const { rows } =
    since && counts.newer
      ? await db.query<{ rows: number }>(counts.newer.sql, [since[counts.newer.of]])
      : await db.query<{ rows: number }>(counts.sql)
  return rows[0]?.rows ?? 0
}
