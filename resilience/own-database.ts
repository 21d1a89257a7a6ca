import pg from 'pg'
import { checkLedger } from '../server/ledger/check-ledger.ts'
import { openPool } from '../server/platform/db.ts'
import { findRunningPostgres } from '../server/platform/embedded-postgres.ts'
import { createLog } from '../server/platform/log.ts'

/** A connection, as the owner, to the embedded database of a shop. */
export async function openOwnDatabase(dataDir: string): Promise<{ db: pg.Client; end(): Promise<void> }> {
  const url = await findRunningPostgres({ dataDir })
  if (url === null) throw new Error(`no database is running in ${dataDir}`)
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  return { db, end: () => db.end() }
}

/** What `checkLedger` finds wrong in the embedded database of a shop, one sentence each. */
export async function proveLedger(dataDir: string): Promise<string[]> {
  const url = await findRunningPostgres({ dataDir })
  if (url === null) return ['there is no database']
  const db = openPool({ url, size: 2, log: createLog('silent'), name: 'resilience' })
  const violations = await checkLedger(db)
  await db.end()
  return violations.map(({ rule, subject, detail }) => `${rule}: ${subject}: ${detail}`)
}
