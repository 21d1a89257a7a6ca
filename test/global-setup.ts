import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openPool } from '../server/platform/db.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { installJobQueue } from '../server/platform/job-queue.ts'
import { createLog } from '../server/platform/log.ts'
import { migrate } from '../server/platform/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A connection string whose database name is replaced by each test file's own. */
    databaseServerUrl: string
  }
}

export const TEMPLATE_DATABASE = 'dwadi_template'

/**
 * One PostgreSQL for the whole run, with a migrated template that each test file clones; or the one whose template
 * TEST_TEMPLATE_URL names, kept by whoever started it.
 */
export default async function setUp(project: TestProject) {
  const given = process.env.TEST_TEMPLATE_URL
  if (given) return project.provide('databaseServerUrl', given)
  const dataDir = await mkdtemp(join(tmpdir(), 'dwadi-test-'))
  const log = createLog('silent')
  const postgres = await startEmbeddedPostgres({ dataDir, log, database: TEMPLATE_DATABASE })
  await migrate(postgres.url(), log)
  const db = openPool({ url: postgres.url(), size: 1, log, name: 'dwadi-test' })
  await installJobQueue(db)
  await db.end()
  project.provide('databaseServerUrl', postgres.url())
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
