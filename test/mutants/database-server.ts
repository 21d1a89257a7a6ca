import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPool } from '../../server/platform/db.ts'
import { startEmbeddedPostgres } from '../../server/platform/embedded-postgres.ts'
import { installJobQueue } from '../../server/platform/job-queue.ts'
import { createLog } from '../../server/platform/log.ts'
import { migrate } from '../../server/platform/migrate.ts'

export type DatabaseServer = { urlOf(database: string): string; close(): Promise<void> }

/** A database server for one run of the mutants, with a migrated database of the given name. */
export async function openDatabaseServer(database: string): Promise<DatabaseServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dwadi-mutants-'))
  const log = createLog('silent')
  const postgres = await startEmbeddedPostgres({ dataDir, log, database })
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
