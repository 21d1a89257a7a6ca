import type { Db } from '../platform/db.ts'
import { readViolations, SORT_IN, type Violation } from './invariants/check-invariant.ts'
import { INVARIANTS } from './invariants/invariants.ts'

export type { Violation } from './invariants/check-invariant.ts'

/**
 * Checks every ledger rule from the postings alone and returns the violations. Amounts in details are pesewas. Reads one
 * snapshot without blocking sales.
 */
export async function checkLedger(db: Db): Promise<Violation[]> {
  const found: Violation[] = []
  const client = await db.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    await client.query(`set local statement_timeout = 0; set local work_mem = '${SORT_IN}'`)
    const rules = INVARIANTS.flatMap((invariant) => invariant.rules)
    for (const rule of rules.filter(({ joinsAll }) => !joinsAll)) found.push(...(await readViolations(client, rule)))
    await client.query('set local enable_nestloop = off')
    for (const rule of rules.filter(({ joinsAll }) => joinsAll)) found.push(...(await readViolations(client, rule)))
    await client.query('rollback')
  } finally {
    client.release()
  }
  return found
}

/** The number of rows that `checkLedger` reads. */
export async function countReconciliation(db: Db): Promise<{ entries: number; postings: number; wallets: number }> {
  const { rows } = await db.query<{ entries: number; postings: number; wallets: number }>(
    `select (select count(*) from journal_entries) as entries, (select count(*) from postings) as postings,
      (select count(*) from wallets) as wallets`,
  )
  return rows[0] as { entries: number; postings: number; wallets: number }
}

/** The rules that `checkLedger` checks, by name. */
export const LEDGER_RULES: readonly string[] = INVARIANTS.flatMap(({ rules }) => rules.map(({ says }) => says))
