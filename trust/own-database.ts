import pg from 'pg'
import { findRunningPostgres } from '../server/platform/embedded-postgres.ts'

/** One connection, as its owner, to the database that a shop of ours keeps in its data folder. */
export async function openOwnDatabase(dataDir: string): Promise<{ db: pg.Client; end(): Promise<void> }> {
  const url = await findRunningPostgres({ dataDir })
  if (url === null) throw new Error(`no database is running in ${dataDir}`)
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  return { db, end: () => db.end() }
}
