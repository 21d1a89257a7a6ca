import type { Reached, Reading, Violation } from '../../../ledger/invariants/check-invariant.ts'
import type { Db, Queryable, Tx } from '../../../platform/db.ts'

/** What is known about an invariant from its checks so far. */
export type Known = {
  invariant: string
  checkedAt: Date
  /** The last check's violations, or why it did not finish. */
  found: Violation[]
  problem: string | null
  /** When all rows were last checked to the end. */
  wholeAt: Date | null
  wholeRows: number
  /** When a check of all rows was last started, finished or not. */
  triedAt: Date | null
  triedTookMs: number
  /** The last check without violations: the newest rows that it covered for good. */
  fineUpTo: Reached | null
}

/** One row for each invariant checked so far. */
export async function selectKnown(db: Queryable): Promise<Known[]> {
  const { rows } = await db.query<Known>(
    `with recursive names as (
       (select invariant from invariant_checks order by invariant limit 1)
       union all
       select next.invariant from names, lateral (select invariant from invariant_checks c where c.invariant > names.invariant order by invariant limit 1) next
     )
     select n.invariant, last.began_at as "checkedAt", last.found, last.problem, whole.began_at as "wholeAt",
       coalesce(whole.rows, 0) as "wholeRows", tried.began_at as "triedAt", coalesce(tried.took_ms, 0) as "triedTookMs", fine.reached as "fineUpTo"
     from names n
     cross join lateral (select began_at, found, problem from invariant_checks c where c.invariant = n.invariant order by id desc limit 1) last
     left join lateral (
       select began_at, rows from invariant_checks c where c.invariant = n.invariant and whole and problem is null order by id desc limit 1
     ) whole on true
     left join lateral (
       select began_at, took_ms from invariant_checks c where c.invariant = n.invariant and whole order by id desc limit 1
     ) tried on true
     left join lateral (
       select nullif(reached -> 'settled', 'null') as reached from invariant_checks c
       where c.invariant = n.invariant and problem is null and found = '[]' order by id desc limit 1
     ) fine on true`,
  )
  return rows
}

/** The newest rows in an earlier reading below which none can appear any more; null when there is none. */
export async function selectSettled(db: Queryable, { readBefore }: { readBefore: Date }): Promise<Reached | null> {
  const { rows } = await db.query<{ reached: Reached }>(
    `select reached - 'settled' as reached
     from (select id, reached from invariant_checks where began_at < $1 order by id desc limit 200) recent
     where all_ended_before(coalesce(reached ->> 'horizon', '0')::xid8) order by id desc limit 1`,
    [readBefore],
  )
  return rows[0]?.reached ?? null
}

export type NewCheck = {
  invariant: string
  whole: boolean
  beganAt: Date
  tookMs: number
  rows: number
  /** The newest rows when the check began, and the part of them below which no row can appear any more. */
  reached: Reading & { settled: Reached | null }
  found: Violation[]
  problem: string | null
}

export async function insertCheck(db: Queryable, check: NewCheck) {
  await db.query(
    `insert into invariant_checks (invariant, whole, began_at, took_ms, rows, reached, found, problem) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      check.invariant,
      check.whole,
      check.beganAt,
      check.tookMs,
      check.rows,
      JSON.stringify(check.reached),
      JSON.stringify(check.found),
      check.problem,
    ],
  )
}

/** Keeps the newest full check of each invariant, whatever its age. */
export async function deleteOldChecks(db: Queryable, { goodBefore, badBefore }: { goodBefore: Date; badBefore: Date }) {
  await db.query(
    `delete from invariant_checks c where began_at < $1 and (began_at < $2 or (found = '[]' and problem is null))
       and id < (select max(id) from invariant_checks later where later.invariant = c.invariant and later.whole and later.problem is null)`,
    [goodBefore, badBefore],
  )
}

export type Finding = Violation & { invariant: string }

/** Leaves out the detail: that of a total changes with every sale. */
export function nameOf({ rule, subject }: Violation): string {
  return `${rule}: ${subject}`
}

export type Pause = { id: number; pausedAt: Date; found: Finding[] }

/** The current pause, or null. */
export async function selectPause(db: Queryable): Promise<Pause | null> {
  const { rows } = await db.query<Pause>('select id, paused_at as "pausedAt", found from purchase_pauses where lifted_at is null')
  return rows[0] ?? null
}

/** The current pause, locked until the transaction ends. */
export async function lockPause(tx: Tx): Promise<Pause | null> {
  const { rows } = await tx.query<Pause>(
    'select id, paused_at as "pausedAt", found from purchase_pauses where lifted_at is null for update',
  )
  return rows[0] ?? null
}

/** Violations that an admin knew of when lifting a pause. */
export async function selectLifted(db: Queryable): Promise<Finding[]> {
  const { rows } = await db.query<{ finding: Finding }>(
    'select jsonb_array_elements(found) as finding from purchase_pauses where lifted_at is not null',
  )
  return rows.map(({ finding }) => finding)
}

/** False when another check has already paused purchases. */
export async function insertPause(tx: Tx, found: Finding[], now: Date): Promise<boolean> {
  const { rowCount } = await tx.query('insert into purchase_pauses (paused_at, found) values ($1, $2) on conflict do nothing', [
    now,
    JSON.stringify(found),
  ])
  return rowCount === 1
}

export async function addToPause(tx: Tx, id: number, found: Finding[]) {
  await tx.query('update purchase_pauses set found = found || $2::jsonb where id = $1', [id, JSON.stringify(found)])
}

export async function markLifted(tx: Tx, id: number, lifted: { by: string; reason: string; now: Date }) {
  await tx.query('update purchase_pauses set lifted_at = $2, lifted_by = $3, lift_reason = $4 where id = $1', [
    id,
    lifted.now,
    lifted.by,
    lifted.reason,
  ])
}

export type ChainLink = { firstEntry: number; lastEntry: number; entries: number; chainLink: Buffer; chainedAt: Date }

export async function selectLastChainLink(db: Queryable): Promise<ChainLink | null> {
  const { rows } = await db.query<ChainLink>(
    `select first_entry as "firstEntry", last_entry as "lastEntry", entries, seal as "chainLink", sealed_at as "chainedAt"
     from ledger_seals order by last_entry desc limit 1`,
  )
  return rows[0] ?? null
}

/**
 * Adds a link for the entries after the last one, at most `atOnce` and none after `upTo`; null when there are none or
 * another process was faster.
 */
export async function insertChainLink(
  db: Db,
  { upTo, atOnce, now }: { upTo: number; atOnce: number; now: Date },
): Promise<ChainLink | null> {
  const { rows } = await db.query<ChainLink>(
    `with last as (select last_entry, seal from ledger_seals order by last_entry desc limit 1),
     span as (
       select min(id) as first, max(id) as last from (
         select id from journal_entries where id > coalesce((select last_entry from last), 0) and id <= $1 order by id limit $2
       ) next
     )
     insert into ledger_seals (first_entry, last_entry, entries, seal, sealed_at)
     select span.first, span.last, made.entries, made.seal, $3
     from span, lateral seal_entries(coalesce((select seal from last), ''::bytea), span.first, span.last) made
     where span.first is not null
     on conflict do nothing
     returning first_entry as "firstEntry", last_entry as "lastEntry", entries, seal as "chainLink", sealed_at as "chainedAt"`,
    [upTo, atOnce, now],
  )
  return rows[0] ?? null
}
