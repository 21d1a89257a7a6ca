import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openPool } from '../server/platform/db.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { createLog } from '../server/platform/log.ts'
import { migrate } from '../server/platform/migrate.ts'
import { describeSchema } from './describe-schema.ts'

// Writes db/schema.sql anew, from a fresh database that has had all migrations.
const FILE = resolve(import.meta.dirname, '../db/schema.sql')
const log = createLog('error')

const dataDir = await mkdtemp(join(tmpdir(), 'dwadi-schema-'))
const postgres = await startEmbeddedPostgres({ dataDir, log })
try {
  await migrate(postgres.url(), log)
  const db = openPool({ url: postgres.url(), size: 1, log, name: 'dwadi schema' })
  await writeFile(FILE, await describeSchema(db).finally(() => db.end()))
  console.log(`Written: ${FILE}`)
} finally {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
