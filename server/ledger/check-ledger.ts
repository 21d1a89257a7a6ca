import type { Db } from '../platform/db.ts'
import { readViolations, type Violation } from './invariants/check-invariant.ts'
import { INVARIANTS } from './invariants/invariants.ts'

export type { Violation } from './invariants/check-invariant.ts'

/**
 * Proves the books from the postings alone and names whatever is wrong; an empty list means that all is well.
 * Amounts in the details are pesewas. Reads one snapshot, so it may run while the shop sells.
 */
export async function checkLedger(db: Db): Promise<Violation[]> {
  const found: Violation[] = []
  const client = await db.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    await client.query('set local statement_timeout = 0')
    for (const { rules } of INVARIANTS) for (const rule of rules) found.push(...(await readViolations(client, rule)))
    await client.query('rollback')
  } finally {
    client.release()
  }
  return found
}

/** How much `checkLedger` has to prove. */
export async function countReconciliation(db: Db): Promise<{ entries: number; postings: number; wallets: number }> {
  const { rows } = await db.query<{ entries: number; postings: number; wallets: number }>(
    `select (select count(*) from journal_entries) as entries, (select count(*) from postings) as postings,
      (select count(*) from wallets) as wallets`,
  )
  return rows[0] as { entries: number; postings: number; wallets: number }
}

/** The rules that `checkLedger` holds the books to, as it names them. */
export const LEDGER_RULES: readonly string[] = INVARIANTS.flatMap(({ rules }) => rules.map(({ says }) => says))
