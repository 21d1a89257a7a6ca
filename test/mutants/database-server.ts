import { rm } from 'node:fs/promises'
import { openPool } from '../../server/platform/db.ts'
import { startEmbeddedPostgres } from '../../server/platform/embedded-postgres.ts'
import { installJobQueue } from '../../server/platform/job-queue.ts'
import { createLog } from '../../server/platform/log.ts'
import { migrate } from '../../server/platform/migrate.ts'
import { makeFolder } from '../make-folder.ts'

export type DatabaseServer = { urlOf(database: string): string; close(): Promise<void> }

/** A database server for one run of the mutants, with a migrated database of the given name. */
export async function openDatabaseServer(database: string): Promise<DatabaseServer> {
  const dataDir = await makeFolder()
  const log = createLog('silent')
  const settings = { max_connections: 500, autovacuum: 'off', wal_level: 'minimal', max_wal_senders: 0 }
  const postgres = await startEmbeddedPostgres({ dataDir, log, database, settings, durable: false })
  await migrate(postgres.url(), log)
  const db = openPool({ url: postgres.url(), size: 1, log, name: 'dwadi-mutants' })
  await installJobQueue(db)
  await db.end()
  return {
    urlOf: (name) => postgres.url(name),
    async close() {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
